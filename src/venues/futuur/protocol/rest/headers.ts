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

/** The three headers of a signed request. They are as secret as the key. */
export interface Signature {
  readonly publicKey: string;
  /** Unix seconds. */
  readonly timestamp: string;
  readonly hmac: string;
}

/** What a request says beside its body; null for what it does not say. */
export interface HeaderValues {
  readonly userAgent: string;
  readonly contentType: string | null;
  readonly idempotencyKey: string | null;
  readonly signature: Signature | null;
}

/**
 * The headers of a request. Those of a batch of orders, which say everything, are written as one object: one that grows by one
 * name after the other is copied on its way.
 */
export function headersOf(values: HeaderValues): Readonly<Record<string, string>> {
  const { userAgent, contentType, idempotencyKey, signature } = values;
  if (contentType === null || idempotencyKey === null || signature === null) return someHeaders(values);
  return {
    accept: CONTENT_TYPES.json,
    'user-agent': userAgent,
    'Content-Type': contentType,
    'Idempotency-Key': idempotencyKey,
    Key: signature.publicKey,
    Timestamp: signature.timestamp,
    HMAC: signature.hmac,
  };
}

function someHeaders({ userAgent, contentType, idempotencyKey, signature }: HeaderValues) {
  const headers: Record<string, string> = { accept: CONTENT_TYPES.json, 'user-agent': userAgent };
  if (contentType !== null) headers[HEADERS.contentType] = contentType;
  if (idempotencyKey !== null) headers[HEADERS.idempotencyKey] = idempotencyKey;
  if (signature === null) return headers;
  headers[HEADERS.key] = signature.publicKey;
  headers[HEADERS.timestamp] = signature.timestamp;
  headers[HEADERS.hmac] = signature.hmac;
  return headers;
}

/** Unix seconds of a `Timestamp` header; null when it is no integer (`MissingTimestamp`). */
export const readTimestampHeader = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null;

/** Milliseconds of a `Retry-After` header in seconds; null when absent or a date. */
export const readRetryAfterMs = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : null;
