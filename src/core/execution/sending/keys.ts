/**
 * The idempotency key of a request (specification 5.5). It derives from run and sequence alone, so a replay carries
 * the same key, and no key is ever used for two requests. @param runId unique per run, letters, digits and dashes
 */
export const idempotencyKey = (runId: string, requestId: number): string => `${runId}-${requestId}`;

/** Request ids of one run: 1, 2, 3 and so on. */
export class RequestIds {
  #last = 0;

  next(): number {
    return ++this.#last;
  }
}
