package dev.waybill.server.scenario;

/** What a step claimed is not so; the narrator has said it already. */
final class BrokenClaimException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenClaimException(String claim) {
        super(claim, null, false, false);
    }
}
