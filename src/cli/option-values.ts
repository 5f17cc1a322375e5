import { InvalidArgumentError } from 'commander';
import type { OrderName } from '../runs/explain/story-teller.js';
import { UsageError } from '../domain/errors.js';
import { orderId } from '../domain/ids.js';
import { durationOf, type Instant } from '../settings/scalars.js';
import { refuseUnmakeable } from '../storage/files/whole-files.js';

const HOUR_MS = 3_600_000;
/** Nobody waits for longer, and a clock counts microseconds. */
const LONGEST_HOURS = 87_600;

/** `500ms`, `20s`, `2m`, `1.5h`, `30d` to milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const ms = durationOf(text);
  if (ms === null) throw new InvalidArgumentError('Expected a duration such as 20s, 5m or 1h.');
  if (ms <= LONGEST_HOURS * HOUR_MS) return ms;
  throw new InvalidArgumentError(`Expected a duration of at most ${LONGEST_HOURS}h (ten years).`);
}

/** A duration after which work that nobody hears of is given to another. @throws InvalidArgumentError */
export function parseSilence(text: string): number {
  const ms = parseDuration(text);
  if (ms >= 1_000 && ms <= 24 * HOUR_MS) return ms;
  throw new InvalidArgumentError('Expected a duration from 1s to 24h.');
}

/** A folder that is there or can be made. @throws InvalidArgumentError */
export function parseFolder(text: string): string {
  try {
    refuseUnmakeable(text);
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
  }
  return text;
}

/** A positive number, such as a speed. @throws InvalidArgumentError */
export function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('Expected a positive number.');
  return value;
}

/** A port. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('Expected a port from 0 to 65535.');
  return value;
}

/** `name=value`, one after the other, collected. @throws InvalidArgumentError */
export function parseParameters(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value, such as halfSpread=0.005.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** One value after the other. */
export const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** A positive integer. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1 to 9999.');
  return Number(text);
}

/** `2026-07-01T14:22:33Z`, or `+90s` after the beginning of what is read. @throws InvalidArgumentError */
export function parseInstant(text: string): Instant {
  if (text.startsWith('+')) return { afterMs: parseDuration(text.slice(1)) };
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return { at: ms * 1_000 };
  throw new InvalidArgumentError('Expected an instant such as 2026-07-01T14:22:33Z, or +90s.');
}

/** An id, one after the other, collected. @throws InvalidArgumentError */
export function parseId(text: string, before: readonly number[]): readonly number[] {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a number.');
  return [...before, Number(text)];
}

/** `17` is the venue's number, `12.0` the first item of request 12. @throws InvalidArgumentError */
export function parseOrderName(text: string): OrderName {
  const [, first, item] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (first === undefined)
    throw new InvalidArgumentError('Expected the number of an order, or request.item such as 12.0.');
  return item === undefined
    ? { kind: 'venue', orderId: orderId(first) }
    : { kind: 'request', requestId: Number(first), item: Number(item) };
}

export const SHARD = [
  '--shard <number>',
  'which process is meant, of a file that divides its account (sharding)',
  parseCount,
] as const;

/** Changes to a file that several processes share: which of them is meant. */
export const shardOverrides = ({ shard }: { readonly shard?: number | undefined }): readonly string[] =>
  shard === undefined ? [] : [`sharding.shard=${shard}`];

/** Changes to a file that is for a live bot, where its paper bot is meant, or one of its processes. */
export const paperOverrides = ({
  paper,
  shard,
}: {
  readonly paper: boolean;
  readonly shard?: number | undefined;
}): readonly string[] => [...(paper ? ['mode=paper'] : []), ...shardOverrides({ shard })];
