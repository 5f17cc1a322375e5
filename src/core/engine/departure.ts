import type { EndEffect } from '../../domain/effects.js';
import type { MarketId, OrderId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';
import type { EnginePhase } from './observing/view.js';
import type { Answer, RequestFailure } from '../../domain/answers.js';
import type { Desk } from '../execution/desk.js';
import type { KillSwitch } from '../risk/index.js';
import type { Mirror } from '../mirror/mirror.js';
import type { Notices } from './guarding/notices.js';
import type { EngineObserver } from './observing/observer.js';
import type { EngineOptions } from './options.js';
import type { Positions } from './accounting/positions.js';

/** What this part of the engine works with. */
export interface DepartureParts {
  readonly options: EngineOptions;
  readonly mirror: Mirror;
  readonly desk: Desk;
  readonly positions: Positions;
  readonly killSwitch: KillSwitch;
  readonly notices: Notices;
  readonly life: Life;
  readonly quoted: ReadonlyMap<MarketId, unknown>;
  readonly observer: EngineObserver | null;
}

/** How long the last read of holdings and balances may take once every order is proved gone, in microseconds. */
const LAST_LOOK = 8_000_000;
/** Holdings that contradict our fills are read again at most this often while the run ends, in microseconds. */
const LEAVING_READ_PACE = 500_000;

const LAST_READS = ['read-holdings', 'read-balances'] as const;

/**
 * Ends a run, or takes its orders away. After a stop or a kill every own order is cancelled and proved gone. After a stop holdings and balances are read once more
 * and the run ends. After a kill the run waits until a person resumes.
 */
export class Departure {
  /** When the last reads began; null before. */
  private lookingSince: Micros | null = null;
  /** When holdings were last asked for. */
  private readAt = 0;

  constructor(private readonly parts: DepartureParts) {}

  /** A person, or the end of the time given, stops the run. */
  stop(at: Micros): void {
    const { life, desk, notices } = this.parts;
    if (!life.stop()) return;
    desk.scheduler.leave();
    desk.withdraw(at);
    notices.info('stopping', this.stoppingText(at), null, at);
  }

  private stoppingText(at: Micros): string {
    const { left, callsLeft, overAt } = this.parts.desk.withdrawal;
    const seconds = Math.ceil((overAt - at) / MICROS_PER_SECOND);
    return (
      `stopping: ${left} ${left === 1 ? 'order' : 'orders'} may stand; about ${callsLeft} requests cancel them and ` +
      `prove it; given up after ${seconds} s at the earliest`
    );
  }

  /**
   * Withdraws all orders once the kill switch has latched, until they are proved gone. Withdraws anew when an own order shows
   * after that: nobody else would cancel it.
   * @returns whether a withdrawal began
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
    desk.withdraw(at);
    return true;
  }

  /** Quoting is allowed again, unless the run is on its way out. */
  resume(): void {
    const { life, desk } = this.parts;
    if (life.phase === 'starting' || life.phase === 'running') desk.withdrawal.reset();
  }

  /** Makes the last reads of holdings and balances when they are due. */
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

  private standsAnything(): boolean {
    const { orders } = this.parts.desk;
    if (orders.count === 0) return false;
    for (const market of orders.markets())
      if (orders.own(market).working.some(({ ownership }) => ownership === 'ours')) return true;
    return false;
  }

  private look(at: Micros): void {
    this.lookingSince = at;
    this.readAt = at;
    for (const kind of LAST_READS) this.parts.desk.scheduler.read({ kind });
  }

  private isAsking(): boolean {
    return LAST_READS.some((kind) => this.parts.desk.scheduler.isAsking(kind));
  }

  /** When to read holdings once more; infinite while they agree with our fills. */
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

/** The phase of a run. It only moves forward. */
export class Life {
  private current: EnginePhase = 'starting';

  get phase(): EnginePhase {
    return this.current;
  }

  /** Orders that rested at the start are settled: quoting may begin. */
  run(): void {
    if (this.current === 'starting') this.current = 'running';
  }

  /** @returns whether this call began the stop */
  stop(): boolean {
    if (this.current === 'stopping' || this.current === 'ended') return false;
    this.current = 'stopping';
    return true;
  }

  end(): void {
    this.current = 'ended';
  }
}

/** Mostly all orders are gone by then. */
const FIRST_AFTER = 5_000_000;
const AGAIN_AFTER = 30_000_000;
const MICROS_PER_SECOND = 1_000_000;

/** Tells a person what a withdrawal still waits for, when it takes long and every half a minute after that. */
export class WithdrawalNews {
  #tellAt: number | null = null;
  /** The venue's last answer; null if it was a success. */
  #failure: string | null = null;

  constructor(private readonly parts: DepartureParts) {}

  answered({ outcome }: Answer): void {
    this.#failure = outcome.ok ? null : (wordsOf(outcome.failure) ?? this.#failure);
  }

  review(at: Micros): void {
    if (this.parts.desk.withdrawal.state !== 'withdrawing') {
      this.#tellAt = null;
      return;
    }
    this.#tellAt ??= at + FIRST_AFTER;
    if (at < this.#tellAt) return;
    this.#tellAt = at + AGAIN_AFTER;
    this.parts.notices.warn('withdrawing', this.#text(at), null, at);
  }

  #text(at: Micros): string {
    const { desk, life } = this.parts;
    const { left, overAt } = desk.withdrawal;
    const orders = `${left} ${left === 1 ? 'order' : 'orders'} may stand`;
    const failure = this.#failure === null ? '' : `; the venue answered last: ${this.#failure}`;
    const seconds = Math.max(0, Math.ceil((overAt - at) / MICROS_PER_SECOND));
    const until =
      life.phase === 'stopping' ? `given up in ${seconds} s at the earliest` : 'until it is proved';
    return `still withdrawing: ${orders}${failure}; it is asked on, ${until}`;
  }
}

/** Null for a request that never left: the venue said nothing. */
function wordsOf(failure: RequestFailure): string | null {
  if (failure.kind === 'unknown') return failure.reason;
  return failure.kind === 'refused' ? `${failure.status} ${failure.code}` : null;
}
