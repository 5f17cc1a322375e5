import type { IncomingHttpHeaders } from 'node:http';
import type { AccountId } from '../../exchange/contract/ids.js';
import type { Micros } from '../../domain/units.js';
import type { AuthenticationErrorCode } from '../../venues/futuur/protocol/errors.js';
import {
  type SignedParameter,
  RequestKey,
  signedText,
  verifySignature,
} from '../../venues/futuur/protocol/signing.js';
import { HEADERS, readTimestampHeader } from '../../venues/futuur/protocol/rest/headers.js';
import { unixSeconds } from '../../venues/futuur/protocol/timestamps.js';

/** The key pair of one account (specification 5.1). */
export interface Credential {
  readonly accountId: AccountId;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Who sent an accepted request. */
export interface Caller {
  readonly accountId: AccountId;
  readonly publicKey: string;
}

interface KnownKey extends Caller {
  readonly secret: RequestKey;
}

/** Node names received headers in lower case. */
const KEY = HEADERS.key.toLowerCase();
const TIMESTAMP = HEADERS.timestamp.toLowerCase();
const HMAC = HEADERS.hmac.toLowerCase();

/** Whether the request claims to come from an account at all. */
export const isSigned = (headers: IncomingHttpHeaders): boolean =>
  headers[KEY] !== undefined || headers[HMAC] !== undefined;

/** Verifies the three headers of specification 5.2. */
export class Authentication {
  private readonly keys: ReadonlyMap<string, KnownKey>;

  /** @param clockWindowS accepted difference between `Timestamp` and the clock, in seconds, both ways */
  constructor(
    credentials: readonly Credential[],
    private readonly clockWindowS: number,
  ) {
    this.keys = new Map(credentials.map((credential) => [credential.publicKey, knownKey(credential)]));
  }

  /**
   * Judges key, then time, then signature.
   * @param parameters of query or body; asked for only when the rest is right
   */
  verify(
    headers: IncomingHttpHeaders,
    parameters: () => readonly SignedParameter[],
    now: Micros,
  ): Caller | AuthenticationErrorCode {
    const known = this.keys.get(single(headers[KEY]));
    if (known === undefined) return 'InvalidHMACKey';
    const timestamp = single(headers[TIMESTAMP]);
    const seconds = readTimestampHeader(timestamp);
    if (seconds === null) return 'MissingTimestamp';
    if (Math.abs(seconds - unixSeconds(now)) > this.clockWindowS) return 'ExpiredTimestamp';
    const text = signedText({ publicKey: known.publicKey, timestamp }, parameters());
    return verifySignature(known.secret, text, single(headers[HMAC])) ? known : 'InvalidHMACSignature';
  }
}

const knownKey = ({ accountId, publicKey, privateKey }: Credential): KnownKey => ({
  accountId,
  publicKey,
  secret: new RequestKey(privateKey),
});

/** Node joins repeated headers of these names with a comma, which then fits no key, time or signature. */
const single = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');
