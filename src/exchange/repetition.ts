/** What repeated requests meet (specification 5.5, facts "Limits"): the stored answer, or a refusal. */
import type { Micros } from '../domain/units.js';
import type { Command, ExchangeConfig, OutcomeOf, PlaceBatch, PlaceOrder, UpdateBatch } from './contract.js';
import { Fifo } from './records.js';

/** A command that may carry an idempotency key. */
export type Creating = PlaceOrder | PlaceBatch | UpdateBatch;
type CreatingOutcome = OutcomeOf[Creating['kind']];

export const isCreating = (command: Command): command is Creating =>
  command.kind === 'place-order' || command.kind === 'place-batch' || command.kind === 'update-batch';

/** The answer that was given to a request. */
export interface StoredAnswer {
  readonly outcome: CreatingOutcome;
  readonly at: Micros;
  /** Estimate of its memory. */
  readonly bytes: number;
}

/** Estimates, objects and numbers included: of a stored answer, and of each order in it. */
const RECORD_BYTES = 256;
const ITEM_BYTES = 512;

const NOT_STORED: ReadonlySet<string> = new Set(['ValidationError', 'wager_action_duplicated']);

/** Successes and refusals of specification 7.2 are stored. */
const isStorable = (outcome: CreatingOutcome): boolean => outcome.ok || !NOT_STORED.has(outcome.refusal.code);

/** Answers by idempotency key, kept for a time and up to an amount of memory, and the contents of recent requests. */
export class RepeatedRequests {
  readonly answers = new Map<string, StoredAnswer>();
  /** Content of a creating request to when it was taken, oldest first. */
  readonly recent = new Map<string, Micros>();
  /** Names in the order in which they were stored. A name that was stored again stands in it twice. */
  private readonly answerAges = new Fifo<{ readonly name: string; readonly answer: StoredAnswer }>();
  private readonly recentAges = new Fifo<string>();
  private bytes = 0;

  /** @param duplicateWindowMs 0: duplicates are not refused */
  constructor(
    private readonly limits: ExchangeConfig['idempotency'],
    private readonly duplicateWindowMs: number,
  ) {}

  /** The stored answer to a request under the same key and body; null: there is none. */
  find(command: Creating, now: Micros): CreatingOutcome | null {
    const name = nameOf(command);
    const answer = name === null ? undefined : this.answers.get(name);
    return answer === undefined || this.isOld(answer, now) ? null : answer.outcome;
  }

  /** Stores the answer to a request that carries a key, and drops the oldest answers beyond the limits. */
  store(command: Creating, outcome: CreatingOutcome, now: Micros): void {
    const name = nameOf(command);
    if (name === null || !isStorable(outcome)) return;
    const items = 'items' in outcome ? outcome.items.length : 1;
    const bytes = RECORD_BYTES + 2 * name.length + ITEM_BYTES * items;
    this.put(name, { outcome, at: now, bytes });
    this.trim(now);
  }

  /** Puts a stored answer back under its name. */
  put(name: string, answer: StoredAnswer): void {
    this.remove(name);
    this.answers.set(name, answer);
    this.answerAges.push({ name, answer });
    this.bytes += answer.bytes;
  }

  /** Whether the same single or batch creation was taken within the window. Remembers this one if not. */
  isDuplicate({ account, kind, request }: Creating, now: Micros): boolean {
    if (request === null || kind === 'update-batch' || this.duplicateWindowMs === 0) return false;
    this.forgetOld(now);
    const content = `${account} ${kind} ${request.body}`;
    if (this.recent.has(content)) return true;
    this.take(content, now);
    return false;
  }

  /** Notes that a request was taken, not before the latest one. */
  take(content: string, at: Micros): void {
    this.recent.set(content, at);
    this.recentAges.push(content);
  }

  private trim(now: Micros): void {
    for (let oldest = this.answerAges.first(); oldest !== undefined; oldest = this.answerAges.first()) {
      if (this.bytes <= this.limits.bytes && !this.isOld(oldest.answer, now)) return;
      this.answerAges.shift();
      if (this.answers.get(oldest.name) === oldest.answer) this.remove(oldest.name);
    }
  }

  private remove(name: string): void {
    this.bytes -= this.answers.get(name)?.bytes ?? 0;
    this.answers.delete(name);
  }

  private isOld({ at }: StoredAnswer, now: Micros): boolean {
    return now - at >= this.limits.keptMs * 1_000;
  }

  private forgetOld(now: Micros): void {
    for (let oldest = this.recentAges.first(); oldest !== undefined; oldest = this.recentAges.first()) {
      if (now - (this.recent.get(oldest) ?? 0) < this.duplicateWindowMs * 1_000) return;
      this.recent.delete(oldest);
      this.recentAges.shift();
    }
  }
}

/** Account, endpoint, key and body, as JSON, which keeps them apart whatever they contain; null: no key. */
const nameOf = ({ account, kind, request }: Creating): string | null =>
  request === null || request.key === null
    ? null
    : JSON.stringify([account, kind, request.key, request.body]);
