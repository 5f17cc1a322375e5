import type { EndEffect } from '../../domain/effects.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { ExclusiveScope } from '../execution/withdrawal.js';
import type { EngineParts } from './parts.js';
import { LAST_LOOK, LEAVING_READ_PACE } from './patience.js';

const LAST_READS = ['read-holdings', 'read-balances'] as const;

/**
 * The way out. After a stop or a kill everything of ours goes from the venue and is proved gone: whole markets at
 * once where every order of the account is ours, the rest by id. After a stop holdings and balances are read once more,
 * so that the last view is the venue's, and the run ends; after a kill it stays until a person resumes.
 */
export class Departure {
  /** When the last look began. */
  private lookingSince: Micros | null = null;
  /** When holdings were last asked for. */
  private readAt = 0;

  constructor(private readonly parts: EngineParts) {}

  /** A person, or the time given, ended the run. */
  stop(at: Micros): void {
    if (this.parts.life.stop()) this.withdraw(at);
  }

  /**
   * Withdraws once the kill switch has latched, again and again until it is proved, and anew when something of ours shows
   * after that: nobody else would cancel it. @returns whether it began to
   */
  enforceKill(at: Micros): boolean {
    const { killSwitch, desk, notices, life, observer } = this.parts;
    const killed = killSwitch.state;
    if (killed === null) return false;
    const { state } = desk.withdrawal;
    const isProved = state === 'proved' && !this.standsAnything();
    const isDone = state === 'withdrawing' || isProved || life.phase === 'stopping';
    if (life.phase === 'ended' || isDone) return false;
    notices.error('killed', `killed: ${killed.reason}`, at);
    const stop = { rule: killSwitch.rule, scope: 'all', id: null, text: killed.reason } as const;
    observer?.stopped?.(stop, killed.at);
    this.withdraw(at);
    return true;
  }

  /** Quoting is allowed again, unless the run is on its way out. */
  resume(): void {
    const { life, desk } = this.parts;
    if (life.phase === 'starting' || life.phase === 'running') desk.withdrawal.reset();
  }

  /** Takes the next step of the last look, if it is time for it. */
  review(at: Micros): void {
    const { life, desk } = this.parts;
    if (life.phase !== 'stopping' || desk.withdrawal.state !== 'proved') return;
    if (this.lookingSince === null) this.look(at);
    else if (!this.isAsking() && at >= this.nextRead()) {
      this.readAt = at;
      desk.scheduler.read({ kind: 'read-holdings' });
    }
  }

  /** How the run ends now; null while it goes on. */
  end(at: Micros): EndEffect['outcome'] | null {
    const { life, desk } = this.parts;
    if (life.phase !== 'stopping') return null;
    if (desk.withdrawal.state === 'given-up') return 'orders-may-remain';
    if (desk.withdrawal.state !== 'proved' || this.lookingSince === null) return null;
    const isOver = at >= this.lookingSince + LAST_LOOK;
    const isSettled = !this.isAsking() && this.parts.positions.readDue === null;
    if (!isOver && !isSettled) return null;
    return desk.orders.doubted.length > 0 ? 'orders-may-remain' : 'clean';
  }

  /** When time alone brings the next step; null when it does not. */
  nextDue(): Micros | null {
    if (this.lookingSince === null) return null;
    const over = this.lookingSince + LAST_LOOK;
    return (this.isAsking() ? over : Math.min(over, this.nextRead())) as Micros;
  }

  private withdraw(at: Micros): void {
    const { desk, options } = this.parts;
    const exclusive = [...options.ownership].filter(([, ownership]) => ownership === 'exclusive');
    const markets = exclusive.map(([marketId]) => marketId).filter((market) => this.mayHoldOurs(market));
    desk.withdraw(
      markets.map((market) => this.scopeOf(market)),
      at,
    );
  }

  private standsAnything(): boolean {
    const { orders } = this.parts.desk;
    for (const market of orders.markets())
      if (orders.own(market).working.some(({ ownership }) => ownership === 'ours')) return true;
    return false;
  }

  private mayHoldOurs(market: MarketId): boolean {
    const { quoted, desk } = this.parts;
    return quoted.has(market) || desk.orders.own(market).working.length > 0;
  }

  private scopeOf(marketId: MarketId): ExclusiveScope {
    const eventId = this.parts.mirror.market(marketId).event.id;
    return { scope: { kind: 'market', eventId, marketId }, markets: [marketId] };
  }

  private look(at: Micros): void {
    this.lookingSince = at;
    this.readAt = at;
    for (const kind of LAST_READS) this.parts.desk.scheduler.read({ kind });
  }

  private isAsking(): boolean {
    return LAST_READS.some((kind) => this.parts.desk.scheduler.isAsking(kind));
  }

  /** When holdings are to be read once more; infinite while they agree with our fills. */
  private nextRead(): number {
    const { readDue } = this.parts.positions;
    return readDue === null ? Infinity : Math.max(readDue, this.readAt + LEAVING_READ_PACE);
  }
}

/**
 * @param code    with which the venue refused the keys; null for none
 * @param doubted orders that may be ours or somebody else's
 */
export function endText(
  outcome: EndEffect['outcome'],
  code: string | null,
  doubted: readonly OrderId[],
): string {
  if (outcome === 'clean') return 'the venue was asked twice and shows no order of ours';
  if (outcome === 'keys-refused')
    return `the venue refuses the keys (${code ?? 'no code'}); check the key pair and the clock`;
  const which = doubted.length === 0 ? '' : `; these may be ours or somebody else's: ${doubted.join(', ')}`;
  return `orders may remain at the venue; look at them there${which}`;
}
