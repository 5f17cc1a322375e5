/** The house of the simulations, which plays for OOM, in the currencies that the account of a seed has. */
import { type Currency, modeOf } from '../../../../src/domain/vocabulary.js';
import type { BotSettings, ExchangeSettings, ParticipantSettings } from '../../../../src/settings/index.js';
import { MAKER } from '../world.js';
import type { Company } from './company.js';

type AccountSettings = ExchangeSettings['accounts'][number];

/** How far the ids of those who trade in the second currency lie behind those who trade in the first. */
const OTHER_BOOK = 2;

export const paying = (settings: BotSettings, { currency }: Company): BotSettings => ({
  ...settings,
  currency,
  currencyMode: modeOf(currency),
});

/** Where the second currency has a book of its own, the same kinds of traders trade there. */
export function paidIn(
  settings: ExchangeSettings,
  { currency, second }: Pick<Company, 'currency' | 'second'>,
): ExchangeSettings {
  const { accounts, participants, fees } = settings;
  const charged = { ...fees, real_money: fees.play_money };
  const own = second === null ? [currency] : [currency, second];
  const inFirst = accounts.map((account) => holding(account, account.id === MAKER ? own : [currency]));
  if (second === null || modeOf(second) === modeOf(currency))
    return { ...settings, accounts: inFirst, fees: charged };
  const others = accounts.filter(({ id }) => id !== MAKER).map((account) => holding(twin(account), [second]));
  return {
    ...settings,
    accounts: [...inFirst, ...others],
    fees: charged,
    participants: [...participants, ...participants.map(twinOf)],
  };
}

/** As much as the account has of OOM. */
const holding = (account: AccountSettings, currencies: readonly Currency[]): AccountSettings => ({
  ...account,
  balances: Object.fromEntries(currencies.map((currency) => [currency, account.balances.OOM])),
});

const twin = ({ id, username, email, publicKey, privateKey, ...rest }: AccountSettings): AccountSettings => ({
  ...rest,
  id: id + OTHER_BOOK,
  username: `${username}-2`,
  email: `2.${email}`,
  publicKey: `${publicKey}_2`,
  privateKey: `${privateKey}_2`,
});

const twinOf = (participant: ParticipantSettings): ParticipantSettings =>
  participant.kind === 'recording'
    ? participant
    : { ...participant, account: participant.account + OTHER_BOOK };
