import type { Effect, EndEffect, SendEffect } from '../domain/effects.js';
import { InvariantError } from '../domain/errors.js';
import type { MarketId } from '../domain/ids.js';
import type { Answer, OperatorCommand, Stamped } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';
import type { OrderNews } from '../execution/order-news.js';
import { assembleEngine } from './assembly.js';
import { DecisionChain } from './decision-chain.js';
import { describeFinding } from './findings.js';
import { OrderReactions } from './order-reactions.js';
import type { EngineOptions } from './options.js';
import type { EngineParts } from './parts.js';
import { objectionTo } from './passive.js';
import { Quoters } from './quoters.js';
import { StartOrders } from './start-orders.js';
import type { EngineView } from './view.js';
import { viewOf } from './view-of.js';

/**
 * The deterministic heart: one stamped input in, effects out. It never awaits, reads no clock and draws no chance but
 * the seeded one; the same options and inputs give the same effects, byte for byte.
 */
export class Engine {
  private readonly parts: EngineParts;
  private readonly quoters: Quoters;
  private readonly reactions: OrderReactions;
  private readonly startOrders: StartOrders;
  private readonly decisions = new DecisionChain();
  private readonly dirty = new Set<MarketId>();
  private seq = 0;
  private now = 0 as Micros;
  private wakeAt: Micros | null = null;

  /** @param startedAt time of the first input at the earliest */
  constructor(options: EngineOptions, startedAt: Micros) {
    this.parts = assembleEngine(options, startedAt);
    this.quoters = new Quoters(this.parts);
    this.reactions = new OrderReactions(this.parts);
    this.startOrders = new StartOrders(this.parts);
  }

  /** Last hash of the decision chain; equal chains mean equal decisions. */
  get decisionHash(): string {
    return this.decisions.hash;
  }

  /** A snapshot for screens, metrics and health; not for the hot path. */
  view(): EngineView {
    return viewOf(this.parts, this.quoters, {
      seq: this.seq,
      now: this.now,
      decisions: this.decisions.count,
    });
  }

  /** Asked when the first byte of a request is about to leave. @returns why it must not, or null */
  objectionTo(effect: SendEffect): string | null {
    return objectionTo(effect, this.parts);
  }

  /**
   * Takes in one input.
   * @returns what is to be done, in order
   * @throws InvariantError when something that cannot be, was: the caller stops everything
   */
  step(stamped: Stamped): readonly Effect[] {
    if (stamped.seq <= this.seq) throw new InvariantError(`input ${stamped.seq} came after ${this.seq}`);
    this.seq = stamped.seq;
    this.now = stamped.at;
    this.parts.tally.input(stamped.input);
    this.parts.mirror.apply(stamped);
    this.parts.positions.heard(stamped.input, stamped.at);
    this.handle(stamped);
    this.settle();
    return this.effects();
  }

  private handle({ input, at }: Stamped): void {
    const { desk, positions, fairValues } = this.parts;
    if (input.kind === 'answer') this.answered(input, at);
    else if (input.kind === 'order-update') this.heard(desk.reported(input.report, at));
    else if (input.kind === 'command') this.commanded(input, at);
    else if (input.kind === 'position-update') positions.portfolio.reported(input.holding, at);
    else if (input.kind === 'deposit-success') positions.portfolio.deposited(input.currency, input.amount);
    else if (input.kind === 'fair-value') {
      fairValues.update(input);
      this.dirty.add(input.marketId);
    }
  }

  private answered(answer: Answer, at: Micros): void {
    const { desk, tally } = this.parts;
    tally.answered(answer);
    const news = desk.answered(answer, at);
    for (const market of news.replan) this.dirty.add(market);
    this.heard(news.orders);
    this.reactions.refused(news, at);
    this.startOrders.answered(answer);
    this.holdingsRead(answer, at);
  }

  private holdingsRead(answer: Answer, at: Micros): void {
    const { positions, notices } = this.parts;
    for (const { marketId, position, ours, venue } of positions.read(answer, at)) {
      const text = `the venue says ${venue / 100} ${position}, our fills say ${ours / 100}; its number is taken`;
      notices.warn('holding-repaired', text, marketId, at);
      this.dirty.add(marketId);
    }
  }

  private heard(news: readonly OrderNews[]): void {
    for (const market of this.reactions.heard(news, this.now)) this.dirty.add(market);
  }

  private commanded(command: OperatorCommand, at: Micros): void {
    const { life, killSwitch } = this.parts;
    if (command.command === 'stop' && life.stop()) this.withdraw(at);
    if (command.command === 'kill') killSwitch.latch(command.reason, at);
    if (command.command === 'resume') this.resume();
    if (command.command === 'set-parameters') this.setParameters(command, at);
    this.touchAll();
  }

  private resume(): void {
    const { killSwitch, lossWatch, positions, options, desk, life } = this.parts;
    killSwitch.reset();
    lossWatch.accept(positions.profit());
    for (const { instance } of options.instances) instance.resume();
    if (life.phase === 'running') desk.withdrawal.reset();
  }

  /** Everything of ours goes; whole markets at once where every order of the account is ours. */
  private withdraw(at: Micros): void {
    const { desk, options, mirror } = this.parts;
    const scopes = [...options.ownership]
      .filter(([, ownership]) => ownership === 'exclusive')
      .map(([marketId]) => ({
        scope: { kind: 'market', eventId: mirror.market(marketId).event.id, marketId } as const,
        markets: [marketId],
      }));
    desk.withdraw(scopes, at);
  }

  private setParameters(
    command: Extract<OperatorCommand, { readonly command: 'set-parameters' }>,
    at: Micros,
  ): void {
    const { options, notices } = this.parts;
    const owner = options.instances.find(({ instance }) => instance.name === command.instance);
    if (owner === undefined)
      return notices.warn('unknown-instance', `no instance ${command.instance}`, null, at);
    for (const { name, expected } of owner.instance.setParameters(command.values))
      notices.warn('parameter-refused', `${command.instance}.${name}: expected ${expected}`, null, at);
  }

  private touchAll(): void {
    for (const quoter of this.quoters.all()) this.dirty.add(quoter.marketId);
  }

  /** What follows from the input once everybody has taken it in. */
  private settle(): void {
    const { mirror, life, positions, lossWatch } = this.parts;
    for (const market of mirror.drainDirty()) this.dirty.add(market);
    for (const finding of mirror.drainFindings()) describeFinding(finding, this.parts.notices, this.now);
    if (life.phase === 'starting' && this.startOrders.areSettled()) {
      life.run();
      this.touchAll();
    }
    for (const market of this.quoters.due(this.now)) this.dirty.add(market);
    this.quoters.requote(this.dirty, this.now);
    this.quoters.advance(this.now);
    this.dirty.clear();
    lossWatch.check(positions.profit(), this.now);
    this.enforceKill();
  }

  /** Once latched, everything is withdrawn and proved gone; nothing is quoted until a person resumes. */
  private enforceKill(): void {
    const { killSwitch, desk, notices } = this.parts;
    const killed = killSwitch.state;
    if (killed === null || desk.withdrawal.state !== 'idle') return;
    notices.say(
      { level: 'error', code: 'killed', text: `killed: ${killed.reason}`, marketId: null },
      this.now,
    );
    this.withdraw(this.now);
    this.touchAll();
    this.quoters.requote(this.dirty, this.now);
    this.dirty.clear();
  }

  private effects(): readonly Effect[] {
    const effects: Effect[] = [...this.sends(), ...this.parts.notices.drain()];
    const end = this.end();
    if (end !== null) effects.push(end);
    else this.pushWake(effects);
    return effects;
  }

  private sends(): readonly SendEffect[] {
    const { mirror, desk, tally, life } = this.parts;
    if (life.phase !== 'stopping') for (const read of mirror.needs(this.now)) desk.scheduler.read(read);
    const sends = desk.due(this.now);
    for (const effect of sends) {
      mirror.issued(effect.requestId, effect.request);
      this.quoters.left(effect.request);
      tally.sent(effect, this.now);
    }
    if (sends.length > 0) this.decisions.append(this.seq, sends);
    return sends;
  }

  private end(): EndEffect | null {
    const { life, desk } = this.parts;
    if (this.reactions.keysRefused !== null && life.phase === 'starting') return this.ended('keys-refused');
    if (life.phase !== 'stopping') return null;
    if (desk.withdrawal.state === 'proved') return this.ended('clean');
    return desk.withdrawal.state === 'given-up' ? this.ended('orders-may-remain') : null;
  }

  private ended(outcome: EndEffect['outcome']): EndEffect {
    this.parts.life.end();
    return { kind: 'end', outcome, text: endText(outcome, this.reactions.keysRefused) };
  }

  private pushWake(effects: Effect[]): void {
    const { mirror, desk } = this.parts;
    const dates = [mirror.nextDue(), desk.nextDue(this.now), this.quoters.nextDue(this.now)];
    const next = Math.min(...dates.map((date) => date ?? Infinity));
    if (next === Infinity || next === this.wakeAt) return;
    this.wakeAt = next as Micros;
    effects.push({ kind: 'wake', at: this.wakeAt });
  }
}

function endText(outcome: EndEffect['outcome'], code: string | null): string {
  if (outcome === 'clean') return 'the venue was asked twice and shows no order of ours';
  if (outcome === 'keys-refused')
    return `the venue refuses the keys (${code ?? 'no code'}); check the key pair and the clock`;
  return 'orders may remain at the venue; look at them there';
}
