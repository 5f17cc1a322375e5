import { randomBytes } from 'node:crypto';

/** Sortable by time and never the same twice: `20260701-142233-9f3a1c`. */
export function newRunId(now = new Date()): string {
  const stamp = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
