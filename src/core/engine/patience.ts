/**
 * How long the engine waits for the venue where no configuration says so. What a request may take, how long it is retried and
 * how a withdrawal is paced is said by `app/bot/engine-options.ts`, how often is read by the configuration.
 */

/** Milliseconds an ended order still takes fills: frames about it, and books that still show it, may be under way. */
export const ENDED_KEPT_MS = 120_000;

/** Milliseconds that reports about one trade may be apart before they are a difference: no frame is under way by then. */
export const REPORTS_APART_MS = 6_000;

/**
 * From here on microseconds. Orders to be adopted are left alone for so long until every quoted market is known: judged
 * without a book they would be cancelled.
 */
export const ADOPTION = 10_000_000;

/** Holdings that contradict our fills are read again at most this often. */
export const CONTRADICTED_READ_PACE = 2_000_000;

/** The same while the engine leaves: its end waits for the answer, and little else is asked for. */
export const LEAVING_READ_PACE = 500_000;

/** How long the last look at holdings and balances may take once everything is proved gone: the end of a run waits for it. */
export const LAST_LOOK = 8_000_000;

/** The frames of the cancels that follow a silence of the private feed come within this, if any do; then it is joined anew. */
export const SILENCE_PROBE = 5_000_000;

/** So long may the venue turn every request away before quotes that nobody can move are an alarm. */
export const TURNED_AWAY = 3_600_000_000;

/** So long after orders may be asked for again it shows whether they are refused again. */
export const ASKED_AGAIN = 60_000_000;
