import type { OperatorCommand } from '../../domain/inputs.js';
import { type Micros, PRICE_ONE } from '../../domain/units.js';
import type { Configuring } from './configuring.js';
import type { Departure } from './departure.js';
import type { AnswerBody } from '../../domain/answers.js';
import { stoppedText } from '../strategy/fault.js';
import type { MarketTerms } from '../execution/planning/market-terms.js';
import type { Alarms } from './guarding/alarms.js';
import type { BarredOrders } from './quoting/venue-rules.js';
import type { Funds } from './quoting/funds.js';
import type { Guards } from './guarding/guards.js';
import type { KillSwitch, LossWatch } from '../risk/index.js';
import type { Mirror } from '../mirror/mirror.js';
import type { Notices } from './guarding/notices.js';
import type { EngineOptions } from './options.js';
import type { Positions } from './accounting/positions.js';
import type { MarketId } from '../../domain/ids.js';
import type { QuotedMarket } from './quoting/quoted-market.js';

/** What this part of the engine works with. */
export interface OperatorParts {
  readonly options: EngineOptions;
  readonly terms: ReadonlyMap<MarketId, MarketTerms>;
  readonly changeTerms: (terms: MarketTerms) => void;
  readonly mirror: Mirror;
  readonly positions: Positions;
  readonly funds: Funds;
  readonly barredOrders: BarredOrders;
  readonly guards: Guards;
  readonly killSwitch: KillSwitch;
  readonly lossWatch: LossWatch;
  readonly notices: Notices;
  readonly alarms: Alarms;
  readonly quoted: ReadonlyMap<MarketId, QuotedMarket>;
}

type StopStrategy = Extract<OperatorCommand, { readonly command: 'stop-strategy' }>;

const RESUMED =
  'a person resumed: nothing that latched holds any longer, and markets are quoted as they allow it';
const FENCE_GONE = 'the fence was cleared: markets are quoted as they allow it, but for what else latched';

/** Carries out commands of a person or of the process. */
export class Operator {
  constructor(
    private readonly parts: OperatorParts,
    private readonly departure: Departure,
    private readonly configuring: Configuring,
  ) {}

  carryOut(command: OperatorCommand, at: Micros): void {
    switch (command.command) {
      case 'start':
        return;
      case 'stop':
        return this.departure.stop(at);
      case 'kill':
        return void this.parts.killSwitch.latch(command.reason, at);
      case 'resume':
        return this.resume(at);
      case 'release':
        return this.release(FENCE_GONE, at);
      case 'set-terms':
        return void changeTerms(this.parts, command, at);
      case 'stop-strategy':
        return this.stopStrategy(command, at);
      case 'configure':
        return this.configuring.carryOut(command, at);
      case 'pause':
        return this.parts.guards.holdBack(command.scope, command.by, null, command.forMs, at);
      case 'widen':
        return this.parts.guards.holdBack(command.scope, command.by, command.ticks, null, at);
      case 'unpause':
        return this.parts.guards.letGo(command.scope, command.by, at);
    }
  }

  /** Whatever stopped quoting is over: the kill switch, the losses until now, what guards latched, faults of strategies. */
  private resume(at: Micros): void {
    const { lossWatch, guards, positions, funds, barredOrders, alarms, options } = this.parts;
    guards.resume();
    barredOrders.lift();
    alarms.ordersMayPass();
    funds.margin.lift();
    lossWatch.accept(positions.profit());
    for (const { instance } of options.instances) instance.resume();
    this.release(RESUMED, at);
  }

  private release(text: string, at: Micros): void {
    this.parts.killSwitch.reset();
    this.departure.resume();
    this.parts.notices.info('resumed', text, null, at);
  }

  /**
   * A book read over REST states the fees of its levels. A fee that is higher than known counts from now on; a lower one only
   * a person may state.
   * @returns whether the terms have changed
   */
  heedFees({ marketId, feePerShare }: ReadBook, at: Micros): boolean {
    const known = this.parts.terms.get(marketId);
    if (known === undefined || feePerShare <= known.takerFee) return false;
    const changes = { takerFee: feePerShare };
    return changeTerms(this.parts, { kind: 'command', command: 'set-terms', marketId, changes }, at) !== null;
  }

  /** The book or refusals show the tick of a market, and the mirror goes by it already. */
  heedGrid(marketId: MarketId, tickUnits: number, at: Micros): void {
    const before = this.parts.terms.get(marketId);
    if (before === undefined) return;
    takeTerms(this.parts, { ...before, tickUnits });
    const [tick, known] = [tickUnits, before.tickUnits].map((units) => units / PRICE_ONE);
    const text = `its prices are on a grid of ${tick}, not ${known}: it is quoted on that one from now on`;
    this.parts.notices.info('grid-learned', text, marketId, at);
  }

  private stopStrategy({ instance: name, reason }: StopStrategy, at: Micros): void {
    const owner = this.parts.options.instances.find(({ instance }) => instance.name === name);
    if (owner?.instance.halt('too-slow', reason) !== true) return;
    this.parts.notices.error('strategy-fault', stoppedText(name, owner.instance.fault!), at);
  }
}

type SetTerms = Extract<OperatorCommand, { readonly command: 'set-terms' }>;

/**
 * The venue changed the tick, the amounts or the fees of a market. What was made by the old rules is dropped: the book
 * counts again once it was read on the new grid, and until then the market's quotes are withdrawn.
 * @returns the new terms; null when they cannot be, which a person is told
 */
function changeTerms(parts: OperatorParts, command: SetTerms, at: Micros): MarketTerms | null {
  const { marketId, changes } = command;
  const before = parts.terms.get(marketId);
  const terms = before === undefined ? null : { ...before, ...changes };
  if (terms === null || !arePossible(terms)) {
    parts.notices.warn('terms-refused', `no such terms: ${JSON.stringify(changes)}`, marketId, at);
    return null;
  }
  takeTerms(parts, terms);
  if (changes.tickUnits !== undefined) parts.mirror.fixGrid(marketId);
  parts.mirror.changeTick(marketId, terms.tickUnits, at);
  parts.notices.warn('terms-changed', `its rules are ${JSON.stringify(changes)} now`, marketId, at);
  return terms;
}

/** What was refused by the old rules may pass by the new ones. */
function takeTerms(parts: OperatorParts, terms: MarketTerms): void {
  parts.changeTerms(terms);
  parts.barredOrders.lift();
  parts.alarms.ordersMayPass();
  parts.quoted.get(terms.marketId)?.owner.instance.changeTick(terms.marketId, terms.tickUnits);
}

type ReadBook = Extract<AnswerBody, { readonly kind: 'read-book' }>;

const arePossible = ({ tickUnits, minAmount, maxAmount, takerFee }: MarketTerms): boolean =>
  Number.isInteger(tickUnits) &&
  tickUnits > 0 &&
  tickUnits < PRICE_ONE &&
  PRICE_ONE % tickUnits === 0 &&
  minAmount <= maxAmount &&
  takerFee >= 0;
