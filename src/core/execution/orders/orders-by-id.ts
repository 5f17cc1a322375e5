import type { OrderId } from '../../../domain/ids.js';
import type { TrackedOrder } from './tracked-order.js';

const FEWEST_SLOTS = 16;
/** An odd constant with well-spread bits (golden ratio). */
const SPREAD = 0x9e3779b1;
/** The most that is told of how far an order lies from its home. */
const FAR = 0xff;

/**
 * Orders by the id that they carry, in less than half of the memory of a map, which keeps the id beside each and a chain. An
 * order lies in its home, the slot that its id hashes to, or in the next free one; at most three of four slots are taken.
 * How far it lies from there stands beside: orders that others stand in the way of are passed without looking at them, for
 * most have not been needed for long, and each would have to be waited for.
 */
export class OrdersById {
  #slots: (TrackedOrder | null)[] = emptySlots(FEWEST_SLOTS);
  /** 0: nothing there; 1: an order at home; and so on to {@link FAR}, which is that far or farther. */
  #steps = new Uint8Array(FEWEST_SLOTS);
  #taken = 0;

  get(id: OrderId): TrackedOrder | undefined {
    return this.#slots[this.#slotOf(id)] ?? undefined;
  }

  /** Puts the order in the place of whichever had its id. */
  set(id: OrderId, order: TrackedOrder): void {
    const slot = this.#slotOf(id);
    this.#slots[slot] = order;
    if (this.#steps[slot] !== 0) return;
    this.#steps[slot] = stepsFor(this.#between(this.#homeOf(id), slot));
    this.#taken += 1;
    if (4 * this.#taken > 3 * this.#slots.length) this.#grow();
  }

  /** @returns false when another order carries the id by now, or none; nothing is taken out then */
  delete(id: OrderId, order: TrackedOrder): boolean {
    const slot = this.#slotOf(id);
    if (this.#slots[slot] !== order) return false;
    this.#taken -= 1;
    this.#empty(slot);
    return true;
  }

  /** The slot of the order with this id, or the one that it would get. */
  #slotOf(id: OrderId): number {
    let slot = this.#homeOf(id);
    for (let steps = 1; ; slot = this.#after(slot)) {
      const taken = this.#steps[slot]!;
      if (taken === 0) return slot;
      // Only orders with the same home lie as many steps from it.
      if (taken === steps && this.#slots[slot]!.orderId === id) return slot;
      if (steps < FAR) steps += 1;
    }
  }

  /** What stands behind and would not be found past an empty slot moves up. */
  #empty(slot: number): void {
    let gap = slot;
    for (let next = this.#after(slot); this.#steps[next] !== 0; next = this.#after(next)) {
      const [fromHome, fromGap] = [this.#fromHome(next), this.#between(gap, next)];
      if (fromHome < fromGap) continue;
      this.#slots[gap] = this.#slots[next]!;
      this.#steps[gap] = stepsFor(fromHome - fromGap);
      gap = next;
    }
    this.#slots[gap] = null;
    this.#steps[gap] = 0;
  }

  #fromHome(slot: number): number {
    const steps = this.#steps[slot]!;
    return steps < FAR ? steps - 1 : this.#between(this.#homeOf(this.#slots[slot]!.orderId!), slot);
  }

  #homeOf(id: OrderId): number {
    return (Math.imul(id, SPREAD) >>> 8) & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #between(first: number, slot: number): number {
    return (slot - first) & (this.#slots.length - 1);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(2 * before.length);
    this.#steps = new Uint8Array(this.#slots.length);
    this.#taken = 0;
    for (const order of before) if (order !== null) this.set(order.orderId!, order);
  }
}

const stepsFor = (fromHome: number): number => Math.min(fromHome + 1, FAR);

const emptySlots = (length: number): (TrackedOrder | null)[] => Array.from({ length }, () => null);
