import { KeysRefusedError, VenueUnreachableError } from '../../domain/errors.js';
import { accountId, type AccountId } from '../../domain/ids.js';
import type { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { KeptSilence } from '../../ops/state/spending-file.js';

/** Whose keys these are. */
export interface Identity {
  readonly id: AccountId;
  readonly username: string;
  /** What the question cost of the allowance: it is signed again when the venue refuses the time of this machine. */
  readonly calls: number;
}

/**
 * Asks the venue whose keys these are: the first request of every run, unless the venue has asked for silence.
 * @param address of the venue, for messages
 * @throws KeysRefusedError, VenueUnreachableError
 */
export async function identify(
  rest: Pick<RestClient, 'me'>,
  silence: Pick<KeptSilence, 'leftMs' | 'begin'>,
  address: string,
): Promise<Identity> {
  const leftMs = silence.leftMs();
  if (leftMs > 0)
    throw new VenueUnreachableError(`the venue has asked for silence (429); ${waitFor(leftMs)}`);
  let calls = 0;
  const outcome = await rest.me({ beforeFirstByte: () => void (calls += 1) });
  if (outcome.ok) return { id: accountId(outcome.value.id), username: outcome.value.username ?? '', calls };
  const { failure } = outcome;
  if (failure.kind !== 'refused')
    throw new VenueUnreachableError(`the venue cannot be reached at ${address}: ${failure.reason}`);
  if (failure.status === TOO_MANY_REQUESTS) {
    if (failure.retryAfterMs !== null) silence.begin(failure.retryAfterMs);
    throw new VenueUnreachableError(`the venue turns requests away (429); ${waitFor(failure.retryAfterMs)}`);
  }
  const advice = ADVICE[failure.code] ?? 'check the key pair';
  throw new KeysRefusedError(`the venue refuses the keys (${failure.code}: ${failure.detail}); ${advice}`);
}

const TOO_MANY_REQUESTS = 429;

const waitFor = (ms: number | null): string =>
  ms === null ? 'start again later' : `start again in ${Math.ceil(ms / 1_000)} s`;

const ADVICE: Readonly<Record<string, string>> = {
  InvalidHMACKey: 'the public key is not known there: check which venue and account it belongs to',
  InvalidHMACSignature: 'the private key does not belong to the public key',
  ExpiredTimestamp: 'the clock of this machine is wrong: set it, for instance with NTP',
  MissingTimestamp: 'a proxy in between may remove headers',
};
