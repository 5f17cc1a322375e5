/** With which keys the accounts of an exchange's file sign. */
import type { ExchangeSettings, ParticipantSettings } from './exchange-schema.js';

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

/**
 * Which accounts participants trade through. Orders of one account never trade with each other, so of several
 * participants that name one account the first trades through it, and each other through a stand-in of its own.
 */

export interface TradingAccount {
  readonly id: number;
  /** The account that the file names. */
  readonly named: number;
  /** 1: the named account itself; 2, 3 and so on: its stand-ins, in the order of the file. */
  readonly ordinal: number;
}

/** Far above what people write, and with its account in it: 1000000009002 is the first stand-in of account 9. */
const STAND_INS_FROM = 1_000_000_000_000;
const PER_ACCOUNT = 1_000;

/** Whether an id can be that of a stand-in. */
export const isStandIn = (id: number): boolean => id > STAND_INS_FROM;

/** @returns by participant; null for one that trades through no account */
export function tradingAccounts(
  participants: readonly ParticipantSettings[],
): readonly (TradingAccount | null)[] {
  const taken = new Map<number, number>();
  return participants.map((participant) => {
    if (participant.kind === 'recording') return null;
    const named = participant.account;
    const ordinal = (taken.get(named) ?? 0) + 1;
    taken.set(named, ordinal);
    const id = ordinal === 1 ? named : STAND_INS_FROM + named * PER_ACCOUNT + ordinal;
    return { id, named, ordinal };
  });
}
