/** The markets that each instance quotes: what its file names, what other instances leave, and what the venue chose. */
import type { EventId, MarketId } from '../domain/ids.js';
import {
  type BotSettings,
  type EventSettings,
  eventSchema,
  type FileSettings,
  type InstanceSettings,
  marketSchema,
} from './bot-schema.js';

/** A market that the venue names. */
export interface ChosenMarket {
  readonly eventId: EventId;
  readonly marketId: MarketId;
}

/** What the venue names for the wishes of a file. */
export interface Chosen {
  /** Of events whose markets are `all`. */
  readonly whole: readonly ChosenMarket[];
  /** Of instances with `select`, by their names. */
  readonly selected: Readonly<Record<string, readonly ChosenMarket[]>>;
  /** Of earlier choices: watched, for what is still held or open there, and not quoted. */
  readonly watched: readonly ChosenMarket[];
}

export const NOTHING_CHOSEN: Chosen = { whole: [], selected: {}, watched: [] };

/** Whether the venue has to be asked for markets. */
export const isSelecting = ({ events, instances }: Pick<BotSettings, 'events' | 'instances'>): boolean =>
  events.some(({ isWhole }) => isWhole) || instances.some(({ select }) => select !== null);

/** Settings as a file states them; what the venue would choose is left out. */
export const settingsOf = (file: FileSettings): BotSettings =>
  expanded(
    {
      ...file,
      events: file.events.map((event) => ({
        ...event,
        isWhole: event.markets === 'all',
        markets: event.markets === 'all' ? [] : event.markets,
      })),
      instances: file.instances.map((instance) => ({
        ...instance,
        named: instance.markets,
        markets: instance.markets ?? [],
      })),
    },
    NOTHING_CHOSEN,
  );

/** The same settings with what the venue chose, each market once: an earlier instance goes first. */
export function expanded(settings: BotSettings, { whole, selected, watched }: Chosen): BotSettings {
  const wished = settings.instances.flatMap(({ name, select }) =>
    select === null ? [] : (selected[name] ?? []),
  );
  const events = withMarkets(settings.events, [...whole, ...wished]);
  const taken = new Set<MarketId>(settings.instances.flatMap((one) => namedBy(one, events)));
  const instances = settings.instances.map((instance) => {
    const named = namedBy(instance, events);
    const chosen = (selected[instance.name] ?? []).map(({ marketId }) => marketId);
    const rest = isRest(instance) ? events.flatMap(({ markets }) => markets.map(({ id }) => id)) : chosen;
    const more = rest.filter((id) => !taken.has(id));
    for (const id of more) taken.add(id);
    return { ...instance, markets: [...named, ...more] };
  });
  return { ...settings, events: withMarkets(events, watched), instances };
}

/** Every market of settings that the venue completed, each once. */
export const chosenMarkets = ({ events }: BotSettings): readonly ChosenMarket[] =>
  events.flatMap(({ id, markets }) => markets.map((market) => ({ eventId: id, marketId: market.id })));

/** It says nothing of markets: it has all that no other instance names. */
const isRest = ({ named, events, select }: InstanceSettings): boolean =>
  named === null && events === null && select === null;

/** Markets by id, and those of its events. */
function namedBy(
  { named, events: ids }: InstanceSettings,
  events: BotSettings['events'],
): readonly MarketId[] {
  const own = named ?? [];
  const whole = events.filter(({ id }) => ids?.includes(id) === true);
  return [
    ...own,
    ...whole.flatMap(({ markets }) => markets.flatMap(({ id }) => (own.includes(id) ? [] : id))),
  ];
}

function withMarkets(events: BotSettings['events'], chosen: readonly ChosenMarket[]): BotSettings['events'] {
  const byId = new Map<EventId, EventSettings>(events.map((event) => [event.id, event]));
  for (const { eventId, marketId } of chosen) {
    const event = byId.get(eventId) ?? { ...DEFAULT_EVENT, id: eventId };
    if (event.markets.some(({ id }) => id === marketId)) continue;
    byId.set(eventId, { ...event, markets: [...event.markets, { ...DEFAULT_MARKET, id: marketId }] });
  }
  return [...byId.values()];
}

/** As a file would state them that says nothing but ids. */
const DEFAULT_MARKET = marketSchema.parse({ id: 1 });
const DEFAULT_EVENT: EventSettings = {
  ...eventSchema.parse({ id: 1, markets: 'all' }),
  isWhole: false,
  markets: [],
};
