/** Keys of the accounts in an exchange's file. */
import type { ExchangeSettings, ParticipantSettings } from './exchange-schema.js';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

type Account = ExchangeSettings['accounts'][number];

/** Every key pair of an account. The pair beside its name comes first. */
export const keyPairsOf = ({
  publicKey,
  privateKey,
  keys,
}: Pick<Account, keyof KeyPair | 'keys'>): readonly KeyPair[] => [{ publicKey, privateKey }, ...keys];

/** Secrets of the exchange. No log may show them. */
export const privateKeysOf = ({ accounts }: Pick<ExchangeSettings, 'accounts'>): readonly string[] =>
  accounts.flatMap(keyPairsOf).map(({ privateKey }) => privateKey);

/**
 * Assigns an account to each participant. Orders of one account never trade with each other. If several participants name
 * one account, the first trades through it, and each further one through a stand-in account.
 */

export interface TradingAccount {
  readonly id: number;
  /** Account in the file. */
  readonly named: number;
  /** 1: the named account itself; 2, 3 and so on: its stand-ins, in the order of the file. */
  readonly ordinal: number;
}

/** Ids of stand-ins are far above usual ids and contain the account: 1000000009002 is the first stand-in of account 9. */
const STAND_INS_FROM = 1_000_000_000_000;
const PER_ACCOUNT = 1_000;

/** Tells whether an id is in the range of stand-ins. */
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
