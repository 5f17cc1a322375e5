import { isPrivateChannel } from '../../../../src/venues/futuur/protocol/realtime/channels.js';
import type { EndpointName } from '../../../../src/venues/futuur/protocol/rest/endpoints.js';
import type { Letter, VenueEntry } from '../venue-record.js';

/** What a frame may take to reach the bot's books once it is there. */
const SETTLING = 100_000;
/** A frame that takes longer than this is taken for lost. */
const LOST = 6_000_000;

/** Requests whose answers change what the bot believes to hold. */
const COUNTED: readonly EndpointName[] = ['batchCreate', 'batchUpdate', 'wagers'];

/**
 * Whether the first run, which found an empty account, has been told everything that the venue said of it: then, and not
 * only when all is quiet, its position must be the venue's. A later run takes over what reads tell it, in its time.
 */
export class Heard {
  /** Private frames that have left the venue and not arrived, with the time. */
  readonly #posted = new Map<number, number>();
  readonly #underWay = new Set<number>();
  #state: 'deaf' | 'joined' | 'hearing' = 'deaf';
  #lastAt = 0;
  #runs = 0;

  note(entry: VenueEntry, at: number): void {
    if (entry.kind === 'run-started') this.#begin();
    else if (entry.kind === 'disconnected') this.#lose();
    else if (entry.kind === 'joined' && isPrivateChannel(entry.channel)) this.#join(entry.isFirst);
    else if (entry.kind === 'posted' && isPrivateChannel(entry.channel)) this.#posted.set(entry.frame, at);
    else if (entry.kind === 'told' && isPrivateChannel(entry.channel)) this.#told(entry.frame, at);
    else if (entry.kind === 'left') this.#left(entry.letter);
    else if (entry.kind === 'answered') this.#answered(entry, at);
  }

  isComplete(at: number): boolean {
    return (
      this.#runs === 1 &&
      this.#state === 'hearing' &&
      this.#posted.size === 0 &&
      this.#underWay.size === 0 &&
      at - this.#lastAt > SETTLING
    );
  }

  /** Whether nothing is missing for so long that reads had to make up for it. */
  isExact(at: number): boolean {
    if (this.#state !== 'hearing') return false;
    for (const postedAt of this.#posted.values()) return at - postedAt < LOST;
    return true;
  }

  #begin(): void {
    this.#runs += 1;
    this.#lose();
  }

  #lose(): void {
    this.#state = 'deaf';
    this.#posted.clear();
    this.#underWay.clear();
  }

  #join(isFirst: boolean): void {
    this.#state = isFirst ? 'joined' : 'deaf';
  }

  #told(frame: number, at: number): void {
    this.#posted.delete(frame);
    this.#lastAt = at;
  }

  #left({ id, endpoint }: Letter): void {
    if (COUNTED.includes(endpoint)) this.#underWay.add(id);
  }

  #answered({ letter, answer }: Extract<VenueEntry, { kind: 'answered' }>, at: number): void {
    this.#lastAt = at;
    if (answer !== null || letter.endpoint === 'wagers') this.#underWay.delete(letter.id);
    if (letter.endpoint !== 'wagers' || this.#state === 'deaf') return;
    // What is held may take several listings to read, and counts only when all of them came.
    this.#state = answer?.status === 200 && answer.text.startsWith('{') ? 'hearing' : 'joined';
  }
}
