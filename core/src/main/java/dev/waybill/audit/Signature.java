package dev.waybill.audit;

/**
 * Who takes a decision, and why.
 *
 * @param who a person or a program, as the audit trail names it; 1 to 200 characters
 * @param why for whoever reads the trail later; up to 2,000 characters, may be empty
 */
public record Signature(String who, String why) {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_REASON = 2000;

    public Signature {
        who = who.strip();
        why = why.strip();
        if (who.isEmpty() || who.length() > LONGEST_NAME || hasControls(who)) {
            throw new IllegalArgumentException("A decision needs the name of who takes it: 1 to " + LONGEST_NAME
                    + " characters in one line, found " + who.length() + ".");
        }
        if (why.length() > LONGEST_REASON || why.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("The reason of a decision has at most " + LONGEST_REASON
                    + " characters and no NUL, found " + why.length() + ".");
        }
    }

    public static Signature of(String who, String why) {
        return new Signature(who, why);
    }

    private static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }
}
