import type { OrderId } from '../../domain/ids.js';
import type { TrackedOrder } from './tracked-order.js';

const FEWEST_SLOTS = 16;
/** An odd constant with well-spread bits (golden ratio). */
const SPREAD = 0x9e3779b1;

/**
 * Orders by the id that they carry, in a third of the memory of a map, which keeps the id beside each and a chain. An
 * order lies in the slot that its id hashes to or in the next free one; at most three of four slots are taken.
 */
export class OrdersById {
  #slots: (TrackedOrder | null)[] = emptySlots(FEWEST_SLOTS);
  #taken = 0;

  get(id: OrderId): TrackedOrder | undefined {
    return this.#slots[this.#slotOf(id)] ?? undefined;
  }

  /** Puts the order in the place of whichever had its id. */
  set(id: OrderId, order: TrackedOrder): void {
    const slot = this.#slotOf(id);
    if (this.#slots[slot] === null) this.#taken += 1;
    this.#slots[slot] = order;
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
    const slots = this.#slots;
    let slot = this.#homeOf(id);
    while (slots[slot] !== null && slots[slot]!.orderId !== id) slot = this.#after(slot);
    return slot;
  }

  /** What stands behind and would not be found past an empty slot moves up. */
  #empty(slot: number): void {
    const slots = this.#slots;
    let gap = slot;
    for (let next = this.#after(slot); slots[next] !== null; next = this.#after(next)) {
      const home = this.#homeOf(slots[next]!.orderId!);
      const isReached = gap <= next ? gap < home && home <= next : gap < home || home <= next;
      if (isReached) continue;
      slots[gap] = slots[next]!;
      gap = next;
    }
    slots[gap] = null;
  }

  #homeOf(id: OrderId): number {
    return (Math.imul(id, SPREAD) >>> 8) & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = emptySlots(2 * before.length);
    for (const order of before) if (order !== null) this.#slots[this.#slotOf(order.orderId!)] = order;
  }
}

const emptySlots = (length: number): (TrackedOrder | null)[] => Array.from({ length }, () => null);
