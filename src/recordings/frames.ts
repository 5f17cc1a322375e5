/** Takes frames of a venue out of what recorders put around them. */

/** A frame, and when the recorder had it. */
export interface ReceivedFrame {
  readonly frame: unknown;
  /** Unix milliseconds; null: not stated. */
  readonly received: number | null;
}

const WRAPPED = ['event', 'raw_frame', 'frame', 'raw', 'message', 'data', 'payload', 'msg', 'body'] as const;
const STAMPS = [
  'recv_ms',
  'received_at',
  'received',
  'recv_ts',
  'recv_time',
  'ts_recv',
  'local_ts',
  'timestamp',
  'ts',
  'time',
  't',
] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Frames may be alone, in arrays, or wrapped by the recorder as an object or as text. */
export function framesIn(value: unknown, received: number | null = null): readonly ReceivedFrame[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => framesIn(one, received));
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Fields;
  if (isFrame(fields)) return [{ frame: value, received }];
  const inner = WRAPPED.map((name) => fields[name]).find(isWrapped);
  if (inner === undefined) return [{ frame: value, received }];
  const stamp = STAMPS.map((name) => timeOf(fields[name] ?? null)).find((time) => time !== null) ?? received;
  return framesIn(typeof inner === 'string' ? textFrames(inner) : inner, stamp);
}

const isFrame = (fields: Fields): boolean =>
  typeof fields['op'] === 'string' ||
  typeof fields['event_type'] === 'string' ||
  (typeof fields['type'] === 'string' && typeof fields['msg'] === 'object') ||
  (Array.isArray(fields['bids']) && fields['asset_id'] !== undefined);

const isWrapped = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) || (typeof value === 'string' && /^\s*[[{]/.test(value));

function textFrames(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Unix seconds, milliseconds, microseconds or nanoseconds, or ISO 8601, as milliseconds; null for anything else. */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{4}-/.test(value)) {
    const at = Date.parse(value);
    return Number.isNaN(at) ? null : at;
  }
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value !== ''
        ? Number(value)
        : Number.NaN;
  if (!Number.isFinite(number) || number <= 0) return null;
  if (number < 1e11) return Math.floor(number * 1_000);
  if (number < 1e14) return Math.floor(number);
  return Math.floor(number / (number < 1e17 ? 1e3 : 1e6));
}
