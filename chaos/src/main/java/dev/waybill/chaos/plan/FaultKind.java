package dev.waybill.chaos.plan;

/** What can be done to the system. */
public enum FaultKind {
    RELAY_KILL("relay killed", Part.RELAYS),
    RELAY_PAUSE("relay paused past its lease", Part.RELAYS),
    WRITER_KILL("writer killed", Part.WRITERS),
    WRITER_PAUSE("writer paused", Part.WRITERS),
    CONSUMER_KILL("consumer killed", Part.CONSUMERS),
    CONSUMER_PAUSE("consumer paused past its session", Part.CONSUMERS),
    DATABASE_KILL("database killed", Part.DATABASE),
    DISK_FULL("disk of the database full", Part.DATABASE),
    HELD_TRANSACTION("transaction held in the outbox", Part.OUTBOX),
    BROKER_KILL("broker killed", Part.BROKER),
    DATABASE_LINK("network between relay and database", Part.DATABASE_LINKS),
    BROKER_LINK("network between relay and broker", Part.BROKER_LINKS);

    /** What a fault strikes: two at the same time strike different parts. */
    public enum Part {
        RELAYS,
        WRITERS,
        CONSUMERS,
        OUTBOX,
        DATABASE,
        BROKER,
        DATABASE_LINKS,
        BROKER_LINKS
    }

    private final String text;
    private final Part part;

    FaultKind(String text, Part part) {
        this.text = text;
        this.part = part;
    }

    public String text() {
        return text;
    }

    public Part part() {
        return part;
    }

    boolean strikesOneOfSeveral() {
        return part != Part.OUTBOX && part != Part.DATABASE && part != Part.BROKER;
    }

    /** Nobody can make up for it before: what was killed or paused of several, others take over at once. */
    boolean lastsUntilItsEnd() {
        return isNetwork() || part == Part.DATABASE || part == Part.BROKER;
    }

    public boolean isNetwork() {
        return part == Part.DATABASE_LINKS || part == Part.BROKER_LINKS;
    }
}
