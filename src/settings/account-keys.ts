/** With which keys the accounts of an exchange's file sign. */
import type { ExchangeSettings } from './exchange-schema.js';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

type Account = ExchangeSettings['accounts'][number];

/** Every key pair of an account, the one that stands with its name first. */
export const keyPairsOf = ({
  publicKey,
  privateKey,
  keys,
}: Pick<Account, keyof KeyPair | 'keys'>): readonly KeyPair[] => [{ publicKey, privateKey }, ...keys];

/** What no log of the exchange may show. */
export const privateKeysOf = ({ accounts }: Pick<ExchangeSettings, 'accounts'>): readonly string[] =>
  accounts.flatMap(keyPairsOf).map(({ privateKey }) => privateKey);
