import type { Micros } from '../../../domain/units.js';
import type { Signature } from '../protocol/rest/headers.js';
import { RequestKey, signedPieces, type SignedParameter } from '../protocol/signing.js';
import { unixSeconds } from '../protocol/timestamps.js';

/** The account's keys. */
export interface Credentials {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Signs as one account. The private key does not leave this object, and no printing of it shows the key. */
export class Signer {
  readonly #publicKey: string;
  readonly #key: RequestKey;

  /** @throws RangeError when the private key is empty */
  constructor({ publicKey, privateKey }: Credentials) {
    this.#publicKey = publicKey;
    this.#key = new RequestKey(privateKey);
  }

  /** Signs these parameters at a time of the venue (specification 5.2). */
  sign(parameters: readonly SignedParameter[], venueTime: Micros): Signature {
    const publicKey = this.#publicKey;
    const timestamp = String(unixSeconds(venueTime));
    const pieces = signedPieces({ publicKey, timestamp }, parameters);
    return { publicKey, timestamp, hmac: this.#key.sign(pieces[0], pieces[1]) };
  }
}
