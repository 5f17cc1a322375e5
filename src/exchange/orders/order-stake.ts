import type { Floor } from '../floor.js';
import type { Stake } from '../money/stakes.js';

/** The stake a working order belongs to. */
export const stakeOf = (floor: Floor, row: number): Stake => floor.stakes.byIndex(floor.orders.stake(row));
