import { readFileSync } from 'node:fs';

interface Signed {
  readonly text: string;
  readonly hmac: string;
}

/** What a real Python made of many values; written by `python-signing.py`. */
export interface PythonVectors {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly timestamp: number;
  readonly numbers: readonly { readonly json: string; readonly repr: string }[];
  readonly strings: readonly { readonly text: string; readonly repr: string; readonly quoted: string }[];
  readonly nested: readonly { readonly json: string; readonly repr: string }[];
  readonly bodies: readonly ({ readonly body: string } & Signed)[];
  readonly queries: readonly ({ readonly pairs: readonly (readonly [string, string])[] } & Signed)[];
  readonly channels: readonly {
    readonly channel: string;
    readonly socketId: string;
    readonly auth: string;
  }[];
}

export const PYTHON = JSON.parse(
  readFileSync(new URL('python-signing.json', import.meta.url), 'utf8'),
) as PythonVectors;
