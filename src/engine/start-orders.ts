import type { Answer } from '../domain/inputs.js';
import type { EngineParts } from './parts.js';

/**
 * What rested before this run began. The first complete listing finds it; with `adopt` it takes part in quoting at
 * once, with `cancel` quoting waits until it is gone.
 */
export class StartOrders {
  private isListed = false;

  constructor(private readonly parts: EngineParts) {}

  answered({ outcome }: Answer): void {
    if (outcome.ok && outcome.body.kind === 'read-orders') this.isListed = true;
  }

  /** Whether quoting may begin. */
  areSettled(): boolean {
    if (!this.isListed || !this.parts.positions.areOpened) return false;
    return this.parts.options.startOrders === 'adopt' || this.isEmpty();
  }

  private isEmpty(): boolean {
    const { orders } = this.parts.desk;
    for (const market of orders.markets())
      if (orders.own(market).working.some((order) => order.ownership === 'ours')) return false;
    return true;
  }
}
