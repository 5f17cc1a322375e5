/** What the bots of a file of tests leave with the user, killed ones for example, lies where nobody else finds it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'oddsmith-user-'));
process.env['XDG_STATE_HOME'] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
