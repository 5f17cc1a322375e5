/** A bot as it is put together, wherever it runs: who runs one brings its edges and hears what becomes of it. */
import { createHash } from 'node:crypto';
import type { Micros } from '../../domain/units.js';
import { Engine } from '../../core/engine/engine.js';
import { EngineLoop, type LoopParts } from '../../core/engine/loop.js';
import { type EngineObserver, severalObservers } from '../../core/engine/observing/observer.js';
import type { EngineOptions } from '../../core/engine/options.js';
import { idempotencyKey } from '../../core/execution/sending/sent-requests.js';
import type { Clock } from '../../core/ports/clock.js';
import type { Feed, RunTerms, VenueClient } from '../../venues/port.js';
import type { Journal, ClaimedOrder, JournalRecord } from '../../core/ports/journal.js';
import type { BotSettings } from '../../settings/index.js';
import { VenueGateway } from '../../venues/gateway.js';
import { tickUnitsOf } from './engine-options.js';
import type { OrderId } from '../../domain/ids.js';
import type { OrderNews, OwnOrder } from '../../core/execution/orders/own-order.js';
import type { NoticeEffect } from '../../domain/effects.js';
import type { Logger } from '../../core/ports/logger.js';

/** Where a bot ends and the world begins. */
export interface Edges {
  readonly clock: Clock;
  /** Nobody has connected it yet. */
  readonly feed: Feed;
  readonly client: VenueClient;
  readonly journal: Journal;
}

export interface AssemblyOptions extends Edges, Pick<LoopParts, 'onNotice' | 'onEnd' | 'onBroken'> {
  readonly settings: BotSettings;
  /** What the engine is made of; its run id names the run in the journal and in the keys of its requests. */
  readonly engine: EngineOptions;
  /** The engine's first moment. */
  readonly startedAt: Micros;
  /** Look on in this order, behind what writes down whose orders are. */
  readonly observers: readonly EngineObserver[];
  /** Why no order may leave, whatever the engine says; null: it may. */
  readonly latched: () => string | null;
  /** Told of what the gateway is told of: {@link VenueGateway}. */
  readonly onFault: (error: Error) => void;
}

export interface Assembly {
  readonly engine: Engine;
  readonly gateway: VenueGateway;
  /** To be started; until then nothing is heard and nothing leaves. */
  readonly loop: EngineLoop;
}

/** Puts a bot together, and lets its journal begin. @throws JournalError when that takes no record */
export function assemble(options: AssemblyOptions): Assembly {
  const { clock, feed, startedAt, observers, onNotice, onEnd, onBroken } = options;
  const claims = claimsJournal((record) => gateway.note(record));
  const engine = new Engine(options.engine, startedAt, severalObservers([claims, ...observers]));
  beginJournal(options);
  const gateway = gatewayOf(options, engine);
  const loop = new EngineLoop({ engine, clock, feed, gateway, onNotice, onEnd, onBroken });
  return { engine, gateway, loop };
}

function beginJournal({ journal, engine, startedAt, settings }: AssemblyOptions): void {
  journal.append({ kind: 'run', runId: engine.runId, at: startedAt, configHash: configHash(settings) });
}

function gatewayOf(options: AssemblyOptions, engine: Engine): VenueGateway {
  const { client, clock, journal, settings, latched, onFault } = options;
  const { runId } = options.engine;
  return new VenueGateway({
    perform: client.performing(termsOf(settings)),
    clock,
    journal,
    keyOf: (requestId) => idempotencyKey(runId, requestId),
    latched: () => latched() ?? (engine.killed === null ? null : 'not-quoting'),
    venueAhead: () => client.venueAhead,
    canDate: (sentAt) => client.canDate(sentAt),
    onFault,
  });
}

const termsOf = (settings: BotSettings): RunTerms => ({
  mode: settings.currencyMode,
  tickUnitsOf: tickUnitsOf(settings),
});

/** Writes down what a run learns of whose the orders of its account are, where no answer to it tells. */

/**
 * Looks on at an engine. What it learns is written before anything that it leads to can leave, for an engine decides after it
 * has told. @param write takes the line
 */
const claimsJournal = (write: (record: JournalRecord) => void): EngineObserver => ({
  heard: (news) => {
    const record = claimsIn(news);
    if (record !== null) write(record);
  },
});

/** @returns null where nothing of that kind is among the news, as mostly */
function claimsIn(news: readonly OrderNews[]): JournalRecord | null {
  if (!news.some(isClaim)) return null;
  const of = (kind: OrderNews['kind']): readonly OwnOrder[] =>
    news.flatMap((item) => (item.kind === kind && isClaim(item) ? [item.order] : []));
  return {
    kind: 'claims',
    ours: of('claimed').map(claimed),
    foreign: idsOf(of('foreign')),
    ambiguous: idsOf(of('ambiguous')),
    ended: idsOf(of('ended')),
  };
}

type Claim = Extract<OrderNews, { readonly kind: 'claimed' | 'foreign' | 'ambiguous' | 'ended' }>;

function isClaim(item: OrderNews): item is Claim {
  if (item.kind === 'ended') return isUntold(item.order);
  return item.kind === 'claimed' || item.kind === 'foreign' || item.kind === 'ambiguous';
}

/** What we cancelled or replaced an answer tells. */
const isUntold = ({ ownership, ending }: OwnOrder): boolean =>
  ownership === 'ambiguous' || (ownership === 'ours' && (ending === 'filled' || ending === 'expired'));

const idsOf = (orders: readonly OwnOrder[]): readonly OrderId[] =>
  orders.flatMap(({ orderId }) => orderId ?? []);

const claimed = (order: OwnOrder): ClaimedOrder => {
  const { orderId, eventId, marketId, side, position, currency, price, requested } = order;
  return { orderId, eventId, marketId, side, position, currency, price, shares: requested };
};

/** Tells a bot's settings from others by sixteen hexadecimal digits; where it trades, with its keys, is left out. */
const configHash = (settings: BotSettings): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...settings, venue: null, exchange: null }))
    .digest('hex')
    .slice(0, 16);

/** A line of the engine's in the log, at the notice's own level, with its code and market as members. */
export function logNotice(logger: Logger, { level, code, text, marketId }: NoticeEffect): void {
  const members = marketId === null ? { code } : { code, marketId };
  if (level === 'error') logger.error(text, members);
  else if (level === 'warning') logger.warn(text, members);
  else logger.info(text, members);
}
