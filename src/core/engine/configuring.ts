import type { EventId, MarketId } from '../../domain/ids.js';
import type { ConfigurationChange, ConfiguredEvent, InstanceChange } from '../../domain/inputs.js';
import type { MarketDescription } from '../../domain/market.js';
import type { Micros } from '../../domain/units.js';
import type { MarketTerms } from '../execution/planning/market-terms.js';
import type { OrderPaces } from '../execution/sending/order-pace.js';
import type { Mirror } from '../mirror/mirror.js';
import type { LossWatch } from '../risk/index.js';
import type { StrategyInstance } from '../strategy/instance.js';
import { differenceText } from '../strategy/parameters.js';
import type { JudgedChange } from '../strategy/tuning.js';
import type { Positions } from './accounting/positions.js';
import type { Guards } from './guarding/guards.js';
import type { Notices } from './guarding/notices.js';
import { describedEvents } from './observing/describe-run.js';
import type { EngineObserver } from './observing/observer.js';
import type { RunningOptions } from './options.js';
import { marketTerms } from './parts.js';
import type { Quoters } from './quoting/quoters.js';
import type { UnquotedMarkets } from './quoting/unquoted-markets.js';

/** What this part of the engine works with. */
export interface ConfiguringParts {
  readonly options: RunningOptions;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly changeTerms: (terms: MarketTerms) => void;
  readonly mirror: Mirror;
  readonly positions: Positions;
  readonly guards: Guards;
  readonly lossWatch: LossWatch;
  readonly paces: OrderPaces;
  readonly standby: ReadonlyMap<string, StrategyInstance>;
  readonly notices: Notices;
  readonly observer: EngineObserver | null;
}

interface Judged {
  readonly change: InstanceChange;
  readonly instance: StrategyInstance;
  readonly judged: JudgedChange;
}

/**
 * Takes over another configuration while the run goes on: parameters, limits, markets and instances. Quotes of what stays the
 * same are left alone. A market that leaves has its quotes withdrawn, and stays in the books.
 */
export class Configuring {
  constructor(
    private readonly parts: ConfiguringParts,
    private readonly quoters: Quoters,
    private readonly unquoted: UnquotedMarkets,
  ) {}

  /** All of it, or nothing when something of it cannot be. */
  carryOut(command: ConfigurationChange & { readonly by: string }, at: Micros): void {
    const { notices } = this.parts;
    const { by } = command;
    const changes = command.instances.map((change) => ({ change, instance: this.find(change.instance) }));
    const problems = [...changes.flatMap((one) => problemsOf(one)), ...this.problems(command)];
    if (problems.length > 0)
      return notices.warn('configuration-refused', `${by} changed nothing: ${problems.join('; ')}`, null, at);
    const judged = changes.map(({ change, instance }) => ({
      change,
      instance: instance!,
      judged: instance!.judge(change),
    }));
    for (const event of command.events) this.state(event, at);
    for (const one of judged) this.change(one);
    this.leave(command.leaving);
    const { left, joined } = this.arrange(command.events, at);
    const texts = [
      ...judged.flatMap(textsOf),
      ...(joined.length === 0 ? [] : [`joined: ${joined.join(', ')}`]),
      ...(left.length === 0 ? [] : [`left: ${left.join(', ')}, whose quotes are withdrawn`]),
      ...command.leaving.map((name) => `instance ${name} left`),
    ];
    const said = texts.length === 0 ? 'what is stated of events' : texts.join(', ');
    notices.warn('configuration-changed', `${by} changed ${said}`, null, at);
  }

  private find(name: string): StrategyInstance | undefined {
    const { options, standby } = this.parts;
    return options.instances.find(({ instance }) => instance.name === name)?.instance ?? standby.get(name);
  }

  /** Every market belongs to one event and to one instance at most. */
  private problems({ events, instances, leaving }: ConfigurationChange): readonly string[] {
    const { options, terms } = this.parts;
    const described = new Map<MarketId, EventId>();
    for (const { description } of events)
      for (const { id } of description.markets) described.set(id, description.id);
    const moved = [...described].filter(([id, event]) => (terms.get(id)?.eventId ?? event) !== event);
    const owners = new Map<MarketId, string>();
    const problems = moved.map(([id]) => `market ${id} belongs to event ${terms.get(id)!.eventId}`);
    const changed = new Map(instances.map((change) => [change.instance, change]));
    const names = new Set([...options.instances.map(({ instance }) => instance.name), ...changed.keys()]);
    for (const name of names) {
      if (leaving.includes(name)) continue;
      const change = changed.get(name);
      const known = options.instances.find(({ instance }) => instance.name === name);
      if (known === undefined && (change?.limits === undefined || change.markets === undefined))
        problems.push(`instance ${name} joins without markets or limits`);
      for (const market of change?.markets ?? known?.markets ?? []) {
        const other = owners.get(market);
        if (other !== undefined) problems.push(`market ${market} is of ${other} and of ${name}`);
        if (!terms.has(market) && !described.has(market)) problems.push(`market ${market} is of no event`);
        owners.set(market, name);
      }
    }
    return problems;
  }

  private state(event: ConfiguredEvent, at: Micros): void {
    const { options, mirror, positions, terms, changeTerms } = this.parts;
    const { description, ownership, learnedGrids, winners, closes, category, underlying } = event;
    const { id, markets } = description;
    const known = options.events.find((one) => one.id === id);
    const all = withNew(known?.markets ?? [], markets);
    options.events =
      known === undefined
        ? [...options.events, description]
        : options.events.map((one) => (one === known ? { ...one, markets: all } : one));
    for (const [market, owner] of ownership) options.ownership.set(market, owner);
    put(options.winners, id, winners);
    put(options.closings, id, closes === null ? null : { at: closes, from: 'file' as const });
    put(options.categories, id, category);
    put(options.underlyings, id, underlying);
    options.informationWindows.set(id, event.informationWindows);
    mirror.join(description, at);
    for (const market of markets) {
      if (terms.has(market.id)) continue;
      changeTerms(marketTerms(options.terms, market));
      if (mirror.market(market.id).tickUnits !== market.tickUnits)
        mirror.changeTick(market.id, market.tickUnits, at);
      if (learnedGrids.includes(market.id)) mirror.learnsGrid(market.id);
      positions.joined(market.id, at);
    }
  }

  private change({ change: { limits, markets }, instance, judged }: Judged): void {
    const { options } = this.parts;
    instance.change(judged);
    const owner = options.instances.find((one) => one.instance === instance);
    if (owner === undefined)
      options.instances = [...options.instances, { instance, markets: markets!, limits: limits! }];
    else {
      owner.limits = limits ?? owner.limits;
      owner.markets = markets ?? owner.markets;
    }
  }

  private leave(leaving: readonly string[]): void {
    const { options } = this.parts;
    options.instances = options.instances.filter(({ instance }) => !leaving.includes(instance.name));
  }

  private arrange(events: readonly ConfiguredEvent[], at: Micros) {
    const { options, terms, mirror, positions, guards, lossWatch, paces, observer } = this.parts;
    lossWatch.limit(options.instances.map(({ limits }) => limits));
    guards.arrange(at);
    for (const { instance, markets, limits } of options.instances) {
      paces.arrange(instance.name, markets, limits.ordersPerMinute, at);
      for (const market of markets) instance.join(market, terms.get(market)!.tickUnits);
    }
    for (const { description } of events) {
      positions.reopen(description.id);
      this.quoters.exposedAnew(mirror.event(description.id).markets.map(({ id }) => id));
    }
    const { left, joined } = this.quoters.arrange();
    for (const market of left) mirror.quote(market, false, at);
    for (const market of joined) mirror.quote(market, true, at);
    for (const market of [...left, ...joined]) this.unquoted.look(market);
    observer?.described?.(describedEvents(options));
    return { left, joined };
  }
}

function problemsOf({
  change,
  instance,
}: {
  readonly change: InstanceChange;
  readonly instance: StrategyInstance | undefined;
}): readonly string[] {
  if (instance === undefined) return [`there is no instance ${change.instance}`];
  const { issues } = instance.judge(change);
  return issues.map(({ name, expected }) => `${change.instance}.${name}: expected ${expected}`);
}

function textsOf({ change, judged }: Judged): readonly string[] {
  const params = judged.differences.map((one) => `${change.instance}.${differenceText(one)}`);
  return change.limits === undefined ? params : [...params, `${change.instance}.limits`];
}

const withNew = (
  known: readonly MarketDescription[],
  told: readonly MarketDescription[],
): readonly MarketDescription[] => [
  ...known,
  ...told.filter(({ id }) => !known.some((market) => market.id === id)),
];

function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}
