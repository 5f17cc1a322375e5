/** A wire to a venue double, with the keys of the test account. */
import { onTestFinished } from 'vitest';
import type { RequestReport } from '../../../src/core/ports/telemetry.js';
import { SystemClock } from '../../../src/storage/clocks/system-clock.js';
import { Wire, type WireOptions } from '../../../src/venues/futuur/rest/wire.js';

export const CREDENTIALS = { publicKey: 'pk_maker', privateKey: 'sk_maker' };

export function openWire(baseUrl: string, changes: Partial<WireOptions> = {}) {
  const reports: RequestReport[] = [];
  const wire = new Wire({
    baseUrl,
    credentials: CREDENTIALS,
    nested: 'python',
    timeoutMs: 5_000,
    clock: new SystemClock(),
    observe: (report) => reports.push(report),
    ...changes,
  });
  onTestFinished(() => wire.close());
  return { wire, reports };
}
