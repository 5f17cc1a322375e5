import type { VenueEntry } from '../venue-record.js';
import { marketsOf } from './closed.js';
import type { Charter, Moment, Rule } from './rule.js';

/** Time for what was already being written when the frame came. */
const WRITING = 200;

interface LiveFrame {
  readonly id: number;
  readonly is_live: boolean;
}

/** While an event is being played, and the bot was told last that it is, no create or update about its markets leaves. */
export class LivePlay implements Rule {
  readonly name = 'quoted-while-live';
  readonly #live = new Set<number>();
  readonly #toldAt = new Map<number, number>();
  readonly #eventOf = new Map<number, number>();

  constructor({ events }: Charter) {
    for (const { event, markets } of events) for (const market of markets) this.#eventOf.set(market, event);
  }

  note(entry: VenueEntry, { at, register }: Moment): string | null {
    if (entry.kind === 'run-started') this.#toldAt.clear();
    else if (entry.kind === 'said') this.#said(entry);
    else if (entry.kind === 'told' && entry.event === 'live-data-update') this.#heard(entry.text, at);
    if (entry.kind !== 'left') return null;
    for (const market of marketsOf(entry.letter, register)) {
      const toldAt = this.#toldAt.get(this.#eventOf.get(market)!) ?? Infinity;
      if (at > toldAt + WRITING)
        return `${entry.letter.endpoint} about ${market} left ${(at - toldAt) / 1_000} ms after the bot was told that its event is live`;
    }
    return null;
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>): void {
    for (const event of events) {
      if (event.kind !== 'live-data-update') continue;
      if (event.isLive) this.#live.add(event.eventId);
      else this.#live.delete(event.eventId);
      if (!event.isLive) this.#toldAt.delete(event.eventId);
    }
  }

  /** A frame of an earlier time tells nothing, and may be taken at its word. */
  #heard(text: string, at: number): void {
    const { id, is_live: isLive } = JSON.parse(text) as LiveFrame;
    if (!isLive) this.#toldAt.delete(id);
    else if (this.#live.has(id) && !this.#toldAt.has(id)) this.#toldAt.set(id, at);
  }
}
