import type { z } from 'zod';

/** Of two values the first must not be the larger one; null is no bound. */
export function inOrder<Value extends number>(
  context: z.RefinementCtx,
  [least, path]: readonly [Value | null, string],
  [most, name]: readonly [Value | null, string],
  write: (value: Value) => string,
): void {
  if (least === null || most === null || least <= most) return;
  const message = `expected at most ${name}, which is ${write(most)}, found ${write(least)}`;
  context.addIssue({ code: 'custom', path: path.split('.'), message });
}
