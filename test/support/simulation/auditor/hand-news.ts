import type { OrderId } from '../../../../src/exchange/contract/ids.js';
import type { VenueEntry } from '../venue-record.js';
import type { Register, RegisteredOrder } from './register.js';
import type { Moment } from './rule.js';

/** What news may take to reach the bot's books once it is there. */
const SETTLING = 100_000;

interface OrderFrame {
  readonly order_id: OrderId;
  readonly status: string;
  /** null: it was placed just now. */
  readonly previous_status: string | null;
  readonly shares_filled: number;
}

const OVER: ReadonlySet<string> = new Set(['filled', 'canceled', 'expired']);

type Answered = Extract<VenueEntry, { kind: 'answered' }>;

/**
 * What other hands did in an event, and whether the running bot was told of all of it: by frames, or, where one was lost, by
 * complete listings of orders and of holdings that it asked for afterwards. What these show it believes when they show
 * it again: until then its own word on what it holds there is not the venue's. So it is with what an order had filled
 * before its first frame came.
 */
export class HandNews {
  /** Orders with news that the bot was not told, and since when, by event. */
  readonly #untold = new Map<number, Map<OrderId, number>>();
  /** When the last of them was told, by event. */
  readonly #toldAt = new Map<number, number>();
  /** When the listing of orders that is being read began, and what it shows. */
  #listing = Infinity;
  readonly #shown = new Set<OrderId>();
  /** When the latest listings that were read to the end began. */
  #listed = -1;
  #held = -1;
  /** Orders of which the running bot was told by frames. */
  readonly #known = new Set<OrderId>();
  /** Events in which reads have to tell what no frame did. */
  readonly #missed = new Set<number>();

  /** @param agrees whether the bot and the venue say the same of what is held in an event */
  constructor(private readonly agrees: (event: number) => boolean) {}

  note(entry: VenueEntry, { at, register }: Moment): void {
    if (entry.kind === 'said') this.#said(entry, register, at);
    else if (entry.kind === 'told' && entry.event === 'order-update') this.#heard(entry.text, register, at);
    else if (entry.kind === 'answered' && entry.letter.endpoint === 'orders') this.#list(entry, register, at);
    else if (entry.kind === 'answered' && entry.letter.endpoint === 'wagers') this.#hold(entry, register, at);
    else if (entry.kind === 'handed') this.#review(at);
    else if (entry.kind === 'run-started') this.#begin(register, at);
  }

  /** Whether what the bot decided then, it could decide in the knowledge of everything that hands have done by now. */
  wasTold(event: number, decidedAt: number): boolean {
    if (this.#missed.has(event) || (this.#untold.get(event)?.size ?? 0) > 0) return false;
    return (this.#toldAt.get(event) ?? -Infinity) + SETTLING <= decidedAt;
  }

  /** Another run knows nothing of what stands. */
  #begin(register: Register, at: number): void {
    [this.#listing, this.#listed, this.#held] = [Infinity, -1, -1];
    this.#known.clear();
    this.#shown.clear();
    for (const order of handsIn(register)) this.#await(order, at);
  }

  #await({ id, eventId }: RegisteredOrder, at: number): void {
    const untold = this.#untold.get(eventId) ?? new Map<OrderId, number>();
    this.#untold.set(eventId, untold.set(id, at));
  }

  #said({ events }: Extract<VenueEntry, { kind: 'said' }>, register: Register, at: number): void {
    for (const event of events) {
      const order = event.kind === 'order-update' ? register.orders.get(event.orderId) : undefined;
      if (order?.letter === null) this.#await(order, at);
    }
  }

  #heard(text: string, register: Register, at: number): void {
    const frame = JSON.parse(text) as OrderFrame;
    const order = register.orders.get(frame.order_id);
    if (order === undefined || order.letter !== null) return;
    if (!this.#known.has(order.id) && frame.previous_status !== null) this.#missed.add(order.eventId);
    this.#known.add(order.id);
    if (!isLatest(order, frame)) return;
    if (this.#untold.get(order.eventId)?.delete(order.id) === true) this.#toldAt.set(order.eventId, at);
  }

  /** `partial_filled` is asked for last of what works. A listing that leaves out what stands makes the bot forget it. */
  #list({ letter, answer }: Answered, register: Register, at: number): void {
    if (letter.path.includes('status=processing')) this.#listBegins(letter.handedAt);
    if (answer?.status !== 200) this.#listing = Infinity;
    for (const [, id] of answer?.text.matchAll(/"id":(\d+)/g) ?? []) this.#shown.add(Number(id) as OrderId);
    if (!letter.path.includes('status=partial_filled') || this.#listing === Infinity) return;
    this.#listed = this.#listing;
    for (const order of handsIn(register))
      if (order.placedAt < this.#listed && !this.#shown.has(order.id)) this.#await(order, at);
    this.#read(register, at);
  }

  #listBegins(at: number): void {
    this.#listing = at;
    this.#shown.clear();
  }

  #hold({ letter, answer }: Answered, register: Register, at: number): void {
    if (answer?.status !== 200) return;
    this.#held = letter.handedAt;
    this.#read(register, at);
  }

  #read(register: Register, at: number): void {
    const from = Math.min(this.#listed, this.#held);
    for (const [event, untold] of this.#untold)
      for (const [order, since] of untold)
        if (since <= from && (this.#shown.has(order) || register.orders.get(order)?.isWorking !== true)) {
          untold.delete(order);
          this.#missed.add(event);
        }
    this.#review(at);
  }

  /** What is decided from now on is decided in the knowledge of what was missed. */
  #review(at: number): void {
    for (const event of this.#missed)
      if (this.agrees(event)) {
        this.#missed.delete(event);
        this.#toldAt.set(event, at);
      }
  }
}

function* handsIn(register: Register): Iterable<RegisteredOrder> {
  for (const order of register.allWorking()) if (order.letter === null) yield order;
}

const isLatest = ({ filled, isWorking }: RegisteredOrder, frame: OrderFrame): boolean =>
  Math.round(frame.shares_filled * 100) === filled && isWorking !== OVER.has(frame.status);
