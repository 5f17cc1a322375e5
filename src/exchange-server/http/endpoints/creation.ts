/** What creating requests share: their identity and the misbehaviour they may meet. */
import { hash } from 'node:crypto';
import type { Misbehaviour, RequestIdentity } from '../../../exchange/contract.js';
import { canonicalBody } from '../../../venues/futuur/protocol/canonical-body.js';
import type { FaultRule, RequestFault } from '../../../venues/simulated/models/faults.js';
import type { JsonBody } from '../body.js';

/** How long `slow_processing` keeps an order from the book unless the rule says. */
const SLOW_PROCESSING_MS = 5_000;

/**
 * The digest of the canonical body stands for the body: it is as good for telling two apart, and records of many
 * requests stay small.
 * @param key `Idempotency-Key`, null when there is none
 */
export const requestIdentity = (key: string | null, body: JsonBody): RequestIdentity => ({
  key,
  body: hash('sha256', canonicalBody(body), 'base64'),
});

/** A member of the command, or nothing in ordinary runs. */
export function misbehaviour(fault: FaultRule<RequestFault> | null): {
  readonly misbehaviour?: Misbehaviour;
} {
  if (fault?.kind === 'slow_processing') {
    return { misbehaviour: { processingMs: fault.ms ?? SLOW_PROCESSING_MS } };
  }
  return fault?.kind === 'half_applied' ? { misbehaviour: { loseReplacement: true } } : {};
}
