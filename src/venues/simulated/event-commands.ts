/** What a venue says of an event, as commands that make the same of it in the exchange of a simulated venue. */
import type { EventId, MarketId } from '../../domain/ids.js';
import type { EventDescription, MarketDescription } from '../../domain/market.js';
import type { Money } from '../../domain/units.js';
import type { Resolution } from '../../domain/vocabulary.js';
import type { Command, MarketView } from '../../exchange/contract.js';
import * as listed from '../../exchange/contract/ids.js';
import { eventConfig, marketConfig } from '../../exchange/defaults.js';
import type { ExchangeCore } from '../../exchange/exchange.js';

/** An event as the configuration has it. */
export interface PaperEvent {
  readonly id: EventId;
  readonly minAmount: Money;
  readonly maxAmount: Money;
  readonly markets: readonly { readonly id: MarketId; readonly tickUnits: number }[];
}

/** @returns what is new: the event, markets, statuses, resolutions; nothing where the exchange knows it all */
export function descriptionCommands(
  told: EventDescription,
  configured: PaperEvent,
  exchange: Pick<ExchangeCore, 'event' | 'market'>,
): readonly Command[] {
  const eventId = listed.eventId(told.id);
  const known = exchange.event(eventId);
  const views = new Map(known?.markets.map((view) => [String(view.id), view]));
  const ticks = new Map(configured.markets.map(({ id, tickUnits }) => [id, tickUnits]));
  // A market that left the file may still hold shares.
  const markets = told.markets.filter(({ id }) => ticks.has(id) || views.has(id));
  const configs = markets.flatMap(({ id, title, longLabel, shortLabel }) => {
    const tickUnits = ticks.get(id);
    return tickUnits === undefined
      ? []
      : [marketConfig({ id: listed.marketId(id), title, tickUnits, longLabel, shortLabel })];
  });
  const added: readonly Command[] =
    known === null
      ? [{ kind: 'add-event', event: eventConfig({ ...eventOf(told, configured), markets: configs }) }]
      : configs
          .filter(({ id }) => exchange.market(id) === null)
          .map((market) => ({ kind: 'add-market', eventId, market, reopens: true }));
  const isReversed = told.status === 'reversed' && known !== null && known.status !== 'reversed';
  // A reversal may be seen by what came of it alone.
  const isCorrected =
    told.status !== 'reversed' &&
    markets.some((market) => {
      const known = views.get(market.id)?.resolution ?? null;
      const now = resolutionOf(told, market);
      // A market that is resolved without an outcome tells nothing new.
      return known !== null && known !== now && (now !== null || market.status !== 'resolved');
    });
  return [
    ...added,
    ...(isReversed || isCorrected ? [{ kind: 'reverse-event', eventId } as const] : []),
    ...(isCorrected || known?.status === 'reversed' ? eventStatusCommands(told) : []),
    ...markets.flatMap((market) => statusCommands(told, market, views.get(market.id))),
    ...resolutionCommands(told, markets, views, isCorrected),
  ];
}

/** After a reversal the event has to open before its markets can. */
const eventStatusCommands = ({ id, status }: EventDescription): readonly Command[] =>
  status === 'open' || status === 'paused' || status === 'stopped'
    ? [{ kind: 'set-event-status', eventId: listed.eventId(id), status }]
    : [];

const eventOf = (told: EventDescription, { minAmount, maxAmount }: PaperEvent) => ({
  id: listed.eventId(told.id),
  title: told.title,
  slug: told.slug,
  // Two of exclusive outcomes may win in a dead heat: the venue decides who is paid.
  resolutionMode: 'non_exclusive' as const,
  betStart: told.betStart,
  betEnd: told.betEnd,
  eventStart: told.eventStart,
  eventEnd: told.eventEnd,
  minAmount,
  maxAmount,
});

function statusCommands(
  event: EventDescription,
  market: MarketDescription,
  view: MarketView | undefined,
): readonly Command[] {
  if (resolutionOf(event, market) !== null) return [];
  const isOpen = event.status === 'open' && market.status === 'active';
  const status = isOpen ? 'active' : 'paused';
  const disabled = market.disabled ?? view?.disabled ?? false;
  const betEnd = market.betEnd ?? event.betEnd;
  const { status: was = 'active', disabled: wasDisabled = false } = view ?? {};
  if (was === status && wasDisabled === disabled && (view?.betEnd ?? null) === betEnd) return [];
  return [{ kind: 'set-market-status', marketId: listed.marketId(market.id), status, disabled, betEnd }];
}

/** Markets that are over by now are paid together. @param isCorrected what was paid is taken back first */
function resolutionCommands(
  event: EventDescription,
  markets: readonly MarketDescription[],
  views: ReadonlyMap<string, MarketView>,
  isCorrected: boolean,
): readonly Command[] {
  const resolutions = markets.flatMap((market) => {
    const known = views.get(market.id)?.resolution ?? null;
    const told = resolutionOf(event, market);
    const resolution = isCorrected && market.status === 'resolved' ? (told ?? known) : told;
    if (resolution === null || (known !== null && !isCorrected)) return [];
    return [{ marketId: listed.marketId(market.id), resolution }];
  });
  if (resolutions.length === 0) return [];
  return [{ kind: 'resolve-event', eventId: listed.eventId(event.id), resolutions }];
}

/** A cancelled market is void. While an event is reversed, no outcome counts. */
function resolutionOf(event: EventDescription, market: MarketDescription): Resolution | null {
  if (event.status === 'reversed') return null;
  if (market.status === 'cancelled' || event.status === 'cancelled') return 'void';
  return market.status === 'resolved' ? market.resolution : null;
}
