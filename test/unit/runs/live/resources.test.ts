import { expect, it } from 'vitest';
import { BotResources } from '../../../../src/runs/live/resources.js';

it('gives everything back although the disk takes neither the end of the journal nor that of the run', async () => {
  const closed: string[] = [];
  const closing = (name: string, fault?: Error) => ({
    close: (): Promise<void> => {
      closed.push(name);
      return fault === undefined ? Promise.resolve() : Promise.reject(fault);
    },
  });
  const [journal, recorder] = [new Error('EIO: the journal'), new Error('ENOSPC: run.json')];
  const told: unknown[] = [];
  const held = Object.assign(new BotResources({ error: (_, members) => told.push(members?.['err']) }), {
    listener: closing('listener'),
    journal: closing('journal', journal),
    lock: { release: () => void closed.push('lock') },
    rest: closing('rest'),
    recorder: closing('recorder', recorder),
    metrics: { close: () => void closed.push('metrics') },
  });
  await held.release();
  expect(closed).toEqual(['listener', 'journal', 'lock', 'rest', 'recorder', 'metrics']);
  expect(told).toEqual([journal, recorder]);
});
