import type { Letter, VenueEntry } from '../venue-record.js';
import type { Charter, Moment, Rule } from './rule.js';

/** What wakes and writing may add. */
const GRACE_MS = 250;
/** Whose answers name new orders: a replacement is one, too. */
const ACCEPTING: ReadonlySet<string> = new Set(['batchCreate', 'batchUpdate']);
/** By how much the bot's clock may hurry, as a share of the time that passes. */
const HASTE = 0.9998;

/**
 * When an accepted order does not show in a private frame in time, the private feed is dead, though public frames
 * flow: no create leaves until the feed speaks again or is joined anew.
 */
export class Silence implements Rule {
  readonly name = 'quoted-into-silence';
  readonly #spoken = new Set<number>();
  /** Orders that an answer told of and no frame did, with when the answer came. */
  readonly #awaited = new Map<number, number>();
  /** When answers told of such orders before the channel was joined anew. A bot that kept its channel awaits them still. */
  #earlier: readonly number[] = [];
  #silentSince = Infinity;

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry, { at }: Moment): string | null {
    if (entry.kind === 'run-started' || entry.kind === 'disconnected' || entry.kind === 'joined')
      this.#anew();
    if (entry.kind === 'run-started') this.#earlier = [];
    if (entry.kind === 'told' && entry.event === 'order-update') this.#heard(entry.text, at);
    else if (entry.kind === 'answered') this.#accepted(entry, at);
    else if (entry.kind === 'left') return this.#left(entry.letter, at);
    return null;
  }

  #anew(): void {
    this.#earlier = [...this.#earlier, ...this.#awaited.values()];
    this.#awaited.clear();
    this.#silentSince = Infinity;
  }

  /**
   * Whatever was overdue made the feed silent, and now it speaks. The bot has asked for its orders since, so that what
   * was accepted before is not missed any more either.
   */
  #heard(text: string, at: number): void {
    const { order_id: id } = JSON.parse(text) as { readonly order_id: number };
    this.#spoken.add(id);
    const allowed = this.charter.privateFrameMs * HASTE * 1_000;
    if ([...this.#earlier, ...this.#awaited.values()].some((acceptedAt) => acceptedAt + allowed <= at)) {
      this.#awaited.clear();
      this.#earlier = [];
    }
    this.#awaited.delete(id);
    this.#silentSince = Infinity;
  }

  #accepted({ letter, answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number): void {
    if (!ACCEPTING.has(letter.endpoint) || answer?.status !== 200) return;
    for (const [, id] of answer.text.matchAll(/"success":true,"order":\{"id":(\d+)/g))
      if (!this.#spoken.has(Number(id)) && !this.#awaited.has(Number(id))) this.#awaited.set(Number(id), at);
  }

  #left({ endpoint }: Letter, at: number): string | null {
    const allowed = (this.charter.privateFrameMs / this.charter.slowestClock + GRACE_MS) * 1_000;
    for (const acceptedAt of this.#awaited.values())
      if (acceptedAt + allowed <= at) this.#silentSince = Math.min(this.#silentSince, acceptedAt + allowed);
    if (endpoint !== 'batchCreate' || at <= this.#silentSince) return null;
    return `a create left ${(at - this.#silentSince) / 1_000} ms after the private feed was known to be silent`;
  }
}
