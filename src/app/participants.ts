/** Builds the simulated traders of an exchange from its settings and lets them act on its clock. */
import { dirname, resolve } from 'node:path';
import { accountId, eventId, marketId } from '../domain/ids.js';
import type { RecordedLine } from '../domain/recorded.js';
import type { Micros } from '../domain/units.js';
import { CURRENCIES, type Currency } from '../domain/vocabulary.js';
import type { Command, ExchangeCore, ExchangeEvent } from '../exchange/contract.js';
import {
  CompetingMaker,
  InformedTrader,
  LmsrMaker,
  NoiseTrader,
  type Participant,
  Reenactment,
  type TradedMarket,
  type Trader,
} from '../participants/index.js';
import type { Clock } from '../ports/clock.js';
import type { Random } from '../ports/random.js';
import type { ExchangeSettings, ParticipantSettings } from '../settings/index.js';
import { readNeutralRecording } from '../tape/index.js';

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
  return setting.exchange.participants.map((participant, index) =>
    participantOf(participant, { ...setting, random: setting.random.fork(`${index}-${participant.kind}`) }),
  );
}

function participantOf(settings: ParticipantSettings, setting: ParticipantSetting): Participant {
  const { random, start } = setting;
  if (settings.kind === 'recording') return reenactmentOf(settings, setting);
  const trader = traderOf(settings, setting.exchange);
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
  exchange: ExchangeSettings,
): Trader {
  const markets = new Map(
    exchange.events.flatMap((event) => event.markets.map((market) => [market.id, market])),
  );
  return {
    account: accountId(settings.account),
    currency: currencyOf(settings.account, exchange),
    markets: settings.markets.map((id): TradedMarket => ({
      id: marketId(id),
      tickUnits: markets.get(id)!.tickSize,
    })),
  };
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
  const markets = new Map(
    recorded.map((id, index) => [id, marketId(pairedMarket(id, index, event.markets))]),
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

/** By id where the ids agree, else by position. */
function pairedMarket(recorded: number, index: number, markets: readonly { readonly id: number }[]): number {
  return (markets.find(({ id }) => id === recorded) ?? markets[index] ?? markets[0])!.id;
}

/** The most levels a side ever shows is what the recording can show. */
export function depthOf(lines: readonly RecordedLine[]): number {
  let depth = 1;
  for (const line of lines)
    if (line.kind === 'book') depth = Math.max(depth, line.bids.prices.length, line.asks.prices.length);
  return depth;
}

export interface StageParts {
  readonly participants: readonly Participant[];
  readonly exchange: ExchangeCore;
  readonly clock: Clock;
  readonly execute: (command: Command) => void;
}

/** Lets participants act when they are due; all on one clock, in the order of the configuration. */
export class Stage {
  private cancels: (() => void)[] = [];
  private closed = false;

  constructor(private readonly parts: StageParts) {}

  start(): void {
    for (const participant of this.parts.participants) this.schedule(participant);
  }

  /** What the exchange said, for participants that react. */
  observe(events: readonly ExchangeEvent[]): void {
    for (const participant of this.parts.participants) for (const event of events) participant.observe(event);
  }

  stop(): void {
    this.closed = true;
    for (const cancel of this.cancels) cancel();
    this.cancels = [];
  }

  private schedule(participant: Participant): void {
    const due = participant.nextDue();
    if (due === null || this.closed) return;
    const cancel = this.parts.clock.at(due, () => {
      this.cancels = this.cancels.filter((one) => one !== cancel);
      if (this.closed) return;
      for (const command of participant.act(this.parts.clock.now(), this.parts.exchange))
        this.parts.execute(command);
      this.schedule(participant);
    });
    this.cancels.push(cancel);
  }
}
