import { MESSAGE_BYTES } from '../../venues/futuur/protocol/limits.js';
import { byteLength } from '../../venues/futuur/protocol/pusher-frames.js';

/** A payload as JSON text that the realtime service would carry. */
export interface Fitted {
  /** null: too large whatever is left out, so it is not sent. */
  readonly json: string | null;
  /** Trailing markets left out. */
  readonly droppedMarkets: number;
}

/** The message around a payload that is JSON text. */
type Framing = (json: string) => string;

/**
 * Writes a payload within the 10 KB of one message. What has a list of markets loses trailing ones until it fits
 * (facts, "Events and markets"); anything else that is too large is not sent at all.
 */
export function fitted(payload: object, framing: Framing): Fitted {
  const whole = JSON.stringify(payload);
  if (fits(whole, framing)) return { json: whole, droppedMarkets: 0 };
  if (!hasMarkets(payload)) return { json: null, droppedMarkets: 0 };
  const kept = mostThatFit(payload, framing);
  const json = kept < 0 ? null : withMarkets(payload, kept);
  return { json, droppedMarkets: payload.markets.length - Math.max(kept, 0) };
}

interface WithMarkets {
  readonly markets: readonly unknown[];
}

/** At three bytes a unit, what most, this is half the limit; event and channel do not need the other half. */
const SURELY_FITS = MESSAGE_BYTES / 6;

const fits = (json: string, framing: Framing): boolean =>
  json.length < SURELY_FITS || byteLength(framing(json)) <= MESSAGE_BYTES;

const hasMarkets = (payload: object): payload is WithMarkets =>
  'markets' in payload && Array.isArray(payload.markets);

const withMarkets = (payload: WithMarkets, count: number): string =>
  JSON.stringify({ ...payload, markets: payload.markets.slice(0, count) });

/** Bisection: the text grows with the count. @returns -1 when not even none fits */
function mostThatFit(payload: WithMarkets, framing: Framing): number {
  let fitting = -1;
  let tooMany = payload.markets.length;
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    if (fits(withMarkets(payload, count), framing)) fitting = count;
    else tooMany = count;
  }
  return fitting;
}
