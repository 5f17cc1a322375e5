import { expect, it } from 'vitest';
import { Closers } from '../../../../src/runs/live/connections.js';

it('closes everything, the last first, although the disk takes neither the end of the journal nor that of the run', async () => {
  const closed: string[] = [];
  const told: unknown[] = [];
  const closers = new Closers({ error: (_, members) => told.push(members?.['err']) });
  const closing = (name: string, fault?: Error): void =>
    closers.add(() => {
      closed.push(name);
      if (fault !== undefined) throw fault;
    });
  const [journal, recorder] = [new Error('EIO: the journal'), new Error('ENOSPC: run.json')];
  closing('metrics');
  closing('recorder', recorder);
  closers.add(() => Promise.reject(recorder));
  closing('lock');
  closing('journal', journal);
  await closers.close();
  expect(closed).toEqual(['journal', 'lock', 'recorder', 'metrics']);
  expect(told).toEqual([journal, recorder, recorder]);
});
