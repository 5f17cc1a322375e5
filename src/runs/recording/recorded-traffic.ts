/** What went over the wire, as it is written on a tape. */
import type { Input } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { RestRecord } from '../../storage/index.js';
import type { RestExchange } from '../../venues/futuur/rest/wire.js';

/** Their answers tell who somebody is, or prove it. */
const PRIVATE_ANSWERS: ReadonlySet<string> = new Set(['me', 'registerWallet', 'authorizeChannel']);
const WITHHELD = 'not recorded: it tells or proves who somebody is';

/** A request and its answer as a tape keeps them: without what tells or proves who somebody is. */
export function restRecordOf({ result, ...exchange }: RestExchange): RestRecord {
  const isPrivate = PRIVATE_ANSWERS.has(exchange.endpoint);
  const said = { kind: 'rest', ...exchange, body: isPrivate ? null : exchange.body } as const;
  if (result.kind !== 'answered') return { ...said, status: null, answer: null, reason: result.reason };
  const { status, body } = result;
  return isPrivate
    ? { ...said, status, answer: null, reason: WITHHELD }
    : { ...said, status, answer: body, reason: '' };
}

/** The venue's own time of what it said; null where it said none. */
export const venueTimeOf = (input: Input): Micros | null =>
  'venueTime' in input ? (input.venueTime ?? null) : null;
