/** Header names and content types (specification 5.2, 5.5; facts, "Limits"). HTTP compares names without case. */
export const HEADERS = {
  key: 'Key',
  timestamp: 'Timestamp',
  hmac: 'HMAC',
  idempotencyKey: 'Idempotency-Key',
  retryAfter: 'Retry-After',
  contentType: 'Content-Type',
  date: 'Date',
} as const;

export const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
} as const;

/** Headers of a request that is being put together. */
export type OpenHeaders = Record<string, string>;

/** Adds the three of a signed request; an object of their own, merged afterwards, would take as long as a short hash. */
export function addSignature(headers: OpenHeaders, publicKey: string, timestamp: string, hmac: string): void {
  headers[HEADERS.key] = publicKey;
  headers[HEADERS.timestamp] = timestamp;
  headers[HEADERS.hmac] = hmac;
}

/** Unix seconds of a `Timestamp` header; null when it is no integer (`MissingTimestamp`). */
export const readTimestampHeader = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;

/** Milliseconds of a `Retry-After` header in seconds; null when absent or a date. */
export const readRetryAfterMs = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : null;
