/** How freely a market may be quoted: what the guards of a market together leave of its quotes. */
export interface Stance {
  /** Why nothing may be quoted, kebab-case; null when something may. */
  readonly out: string | null;
  /** Only what leads the position back towards zero. */
  readonly reduceOnly: boolean;
  /** Every quote stands so many ticks further from the other side. */
  readonly widenTicks: number;
  /** Part of every quote's shares that is left: 0 to 1. */
  readonly size: number;
}

/** Nothing speaks against quoting in full. */
export const AT_EASE: Stance = Object.freeze({ out: null, reduceOnly: false, widenTicks: 0, size: 1 });

export const outFor = (reason: string): Stance => stance(reason, 1);
export const sized = (size: number): Stance => stance(null, size);

const stance = (out: string | null, size: number): Stance => ({
  out,
  reduceOnly: false,
  widenTicks: 0,
  size,
});

/** Both at once: of each member the stricter one; the first reason to be out stays. */
export function stricter(one: Stance, other: Stance): Stance {
  if (one === AT_EASE) return other;
  if (other === AT_EASE) return one;
  return {
    out: one.out ?? other.out,
    reduceOnly: one.reduceOnly || other.reduceOnly,
    widenTicks: Math.max(one.widenTicks, other.widenTicks),
    size: Math.min(one.size, other.size),
  };
}
