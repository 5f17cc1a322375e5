/** A process that journals until it is killed: `journal-writer.ts <folder> <sync>` prints each id once it is safe. */
import { writeSync } from 'node:fs';
import { FileJournal } from '../../../src/storage/journal/file-journal.js';
import type { LogSync } from '../../../src/storage/log/segment.js';
import { request, run } from './journal-records.js';

const [dir = '', sync = 'group'] = process.argv.slice(2);
const { journal } = FileJournal.open({ dir, sync: sync as LogSync });
journal.append(run('killed'));
for (let id = 1; ; id++) {
  journal.append(request(id));
  print(`${id}\n`);
}

/** A pipe that nobody has read yet takes nothing: it is tried again. */
function print(text: string): void {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
