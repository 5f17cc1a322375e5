import type { KeyObject } from 'node:crypto';
import type { Micros } from '../../domain/units.js';
import type { JsonObject } from '../../protocol/json-spelling.js';
import { signedHeaders } from '../../protocol/rest/headers.js';
import type { NestedStyle } from '../../protocol/signed-values.js';
import { bodyParameters, pairParameters, sign, signedText, signingKey } from '../../protocol/signing.js';
import type { SignedParameter } from '../../protocol/signing.js';
import { unixSeconds } from '../../protocol/timestamps.js';
import type { Call } from './call.js';

/** The account's keys. */
export interface Credentials {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Signs calls as one account. The private key does not leave this object, and no printing of it shows the key. */
export class Signer {
  readonly #publicKey: string;
  readonly #key: KeyObject;
  readonly #nested: NestedStyle;

  /** @throws RangeError when the private key is empty */
  constructor({ publicKey, privateKey }: Credentials, nested: NestedStyle) {
    this.#publicKey = publicKey;
    this.#key = signingKey(privateKey);
    this.#nested = nested;
  }

  /** The headers of specification 5.2 for a call at this time of the venue. They are as secret as the key. */
  headers(call: Call<unknown>, venueTime: Micros): Record<string, string> {
    const head = { publicKey: this.#publicKey, timestamp: unixSeconds(venueTime) };
    const text = signedText(head, this.#parameters(call));
    return signedHeaders(head.publicKey, head.timestamp, sign(this.#key, text));
  }

  #parameters({ query, body }: Call<unknown>): readonly SignedParameter[] {
    if (body === null) return pairParameters(query);
    if ('form' in body) return pairParameters(body.form);
    return bodyParameters(body.json as JsonObject, this.#nested);
  }
}
