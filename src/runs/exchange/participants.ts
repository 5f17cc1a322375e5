/** Builds the simulated traders of an exchange from its settings. */
import { type MarketId as RecordedMarket, marketId as nameOfMarket } from '../../domain/ids.js';
import { dirname, resolve } from 'node:path';
import { accountId, eventId, type MarketId, marketId } from '../../exchange/contract/ids.js';
import type { RecordedLine } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import { CURRENCIES, type Currency } from '../../domain/vocabulary.js';
import {
  CompetingMaker,
  InformedTrader,
  LmsrMaker,
  NoiseTrader,
  type Participant,
  Reenactment,
  type TradedMarket,
  type Trader,
} from '../../exchange/participants/index.js';
import type { Random } from '../../core/ports/random.js';
import {
  type ExchangeSettings,
  type ParticipantSettings,
  type TradingAccount,
  tradingAccounts,
} from '../../settings/index.js';
import { readNeutralRecording } from '../../storage/recordings/neutral.js';

const DEFAULT_HORIZON = 3_600_000_000;

export interface ParticipantSetting {
  readonly exchange: ExchangeSettings;
  /** The configuration file: recordings are found from its folder. */
  readonly file: string;
  readonly random: Random;
  readonly start: Micros;
}

/** @throws RecordingError when a recording cannot be read */
export function participantsOf(setting: ParticipantSetting): readonly Participant[] {
  const { participants } = setting.exchange;
  const accounts = tradingAccounts(participants);
  return participants.map((participant, index) => {
    const random = setting.random.fork(`${index}-${participant.kind}`);
    return participantOf(participant, accounts[index] ?? null, { ...setting, random });
  });
}

function participantOf(
  settings: ParticipantSettings,
  through: TradingAccount | null,
  setting: ParticipantSetting,
): Participant {
  const { random, start } = setting;
  if (settings.kind === 'recording') return reenactmentOf(settings, setting);
  const trader = traderOf(settings, through?.id ?? settings.account, setting.exchange);
  switch (settings.kind) {
    case 'noise':
      return new NoiseTrader(trader, settings, random, start);
    case 'informed':
      return new InformedTrader(
        trader,
        { ...settings, horizonMicros: horizonOf(settings.markets[0], setting) },
        random,
        start,
      );
    case 'lmsr':
      return new LmsrMaker(trader, settings.b, start);
    case 'maker':
      return new CompetingMaker(
        trader,
        { ...settings, opinions: opinionsOf(settings.markets, setting.exchange) },
        random,
        start,
      );
  }
}

function traderOf(
  settings: { readonly account: number; readonly markets: readonly number[] },
  account: number,
  exchange: ExchangeSettings,
): Trader {
  return {
    account: accountId(account),
    currency: currencyOf(settings.account, exchange),
    markets: settings.markets.map((id) => tradedMarket(id, exchange)),
  };
}

/** That a participant's markets exist was checked with the settings. */
function tradedMarket(id: number, exchange: ExchangeSettings): TradedMarket {
  const event = exchange.events.find((one) => one.markets.some((market) => market.id === id))!;
  const market = event.markets.find((one) => one.id === id)!;
  return { id: marketId(id), tickUnits: market.tickSize, minAmount: event.minAmount };
}

/** The first currency the account has any of. */
function currencyOf(account: number, exchange: ExchangeSettings): Currency {
  const balances = exchange.accounts.find((one) => one.id === account)?.balances ?? {};
  return CURRENCIES.find((currency) => (balances[currency] ?? 0) > 0) ?? 'OOM';
}

/** Exclusive outcomes start equally likely, a single one at a half. */
function opinionsOf(markets: readonly number[], exchange: ExchangeSettings): readonly number[] {
  return markets.map((id) => {
    const event = exchange.events.find((one) => one.markets.some((market) => market.id === id));
    const outcomes = event?.resolutionMode === 'exclusive' ? event.markets.length : 1;
    return outcomes > 1 ? 1 / outcomes : 0.5;
  });
}

function horizonOf(market: number | undefined, { exchange, start }: ParticipantSetting): number {
  const event = exchange.events.find((one) => one.markets.some(({ id }) => id === market));
  const end = event?.betEndDate ?? null;
  return end === null ? DEFAULT_HORIZON : Math.max(1, end - start);
}

function reenactmentOf(
  settings: Extract<ParticipantSettings, { readonly kind: 'recording' }>,
  { exchange, file, start }: ParticipantSetting,
): Participant {
  const lines = readNeutralRecording(resolve(dirname(file), settings.file));
  const event = exchange.events.find((one) => one.id === settings.event)!;
  const recorded = [...new Set(lines.map((line) => line.marketId))];
  const markets = pairedMarkets(
    recorded,
    event.markets.map(({ id }) => marketId(id)),
  );
  return new Reenactment(
    {
      lines,
      speed: settings.speed,
      mode: 'play_money',
      eventId: eventId(settings.event),
      markets,
      depth: depthOf(lines),
    },
    start,
  );
}

/** By id when the event has every recorded market, else by position; a recorded market too many is left out. */
function pairedMarkets(
  recorded: readonly RecordedMarket[],
  markets: readonly MarketId[],
): ReadonlyMap<RecordedMarket, MarketId> {
  const byName = new Map(markets.map((id) => [nameOfMarket(id), id]));
  if (recorded.every((id) => byName.has(id))) return new Map(recorded.map((id) => [id, byName.get(id)!]));
  return new Map(recorded.slice(0, markets.length).map((id, index) => [id, markets[index]!]));
}

/** The most levels a side ever shows is what the recording can show. */
function depthOf(lines: readonly RecordedLine[]): number {
  let depth = 1;
  for (const line of lines)
    if (line.kind === 'book') depth = Math.max(depth, line.bids.prices.length, line.asks.prices.length);
  return depth;
}
