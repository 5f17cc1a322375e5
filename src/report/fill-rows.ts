import type { Fill } from '../domain/fill.js';
import { PRICE_ONE } from '../domain/units.js';

/** A fill as books list it: nothing of it is replaced later. */
export type FillRow = Pick<
  Fill,
  'id' | 'orderId' | 'side' | 'position' | 'liquidity' | 'marketId' | 'eventId' | 'isInferred'
> & {
  readonly at: number;
  readonly shares: number;
  readonly amount: number;
  readonly fee: number;
};

/** Turns the fills of one run into rows. Inferred ones are held until the run ends, for a later message may replace them. */
export class FillRows<Row extends FillRow> {
  private readonly inferred = new Map<number, Row>();

  /** @param row of this fill, as if it replaced nothing */
  take(fill: Fill, row: Row): readonly Row[] {
    const { id, orderId, side, position, liquidity, isInferred, replaces } = fill;
    if (replaces === null) {
      if (!isInferred) return [row];
      this.inferred.set(id, row);
      return [];
    }
    const { shares, amount, fee } = replaces;
    const held = this.inferred.get(replaces.id);
    if (held !== undefined) this.replace(held, fill);
    if (fill.shares !== 0 || shares <= 0) return [];
    const told = { id, orderId, side, position, liquidity, isInferred };
    // Its time stays that of the inferred row: what was sold since then came from it.
    return [{ ...(held ?? row), ...told, shares, amount: fill.amount + amount, fee: fill.fee + fee }];
  }

  /** The run is over: what is inferred stays so. */
  rest(): readonly Row[] {
    return [...this.inferred.values()];
  }

  /** What is left of an inferred fill. */
  private replace(held: Row, { position, replaces, amount: more, isInferred }: Fill): void {
    const { id, shares, amount, fee } = replaces!;
    // Of the other position where the venue nets: together both cost one.
    const told = position === held.position ? amount : shares * PRICE_ONE - amount;
    const left = { shares: held.shares - shares, amount: held.amount - told, fee: held.fee - fee };
    if (isInferred) left.amount += more;
    if (left.shares === 0) this.inferred.delete(id);
    else this.inferred.set(id, { ...held, ...left });
  }
}
