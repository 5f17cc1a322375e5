import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODE_OPTIONS } from '../bench/processes.js';
import { ROOT, smallHouse } from '../support/project/small-house.js';
import { openTerminal } from '../support/screen/terminal.js';

/**
 * Ends like the real program: the first signal begins an orderly stop, and the stop ends with 0. It listens on, since
 * npm doubles a Ctrl-C and a signal that nobody listens to kills. Deaf to the end of its terminal, so that it is seen
 * when nobody told it to stop.
 */
const ORDERLY = `
process.on('SIGHUP', () => undefined);
process.on('SIGINT', stop).on('SIGTERM', stop);
const running = setInterval(() => undefined, 1_000);
function stop(): void {
  setTimeout(() => clearInterval(running), 300);
}
process.stdout.write('started\\n');
`;

type Scripts = Readonly<Record<string, string>>;
const scriptsOf = (root: string): Scripts =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Scripts }).scripts;

/** A house that stops orderly, its start script changed when said so. */
function house(change: (start: string) => string = (start) => start): string {
  const root = smallHouse({ 'src/cli/main.ts': ORDERLY });
  const scripts = { start: change(scriptsOf(root)['start'] ?? '') };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'oddsmith', type: 'module', scripts }));
  return root;
}

describe('the scripts of package.json', () => {
  it('hand over to one last process, and use no hooks', () => {
    const scripts = scriptsOf(ROOT);
    const keeping = Object.entries(scripts).filter(
      ([, script]) => !/(?:^|&& )exec node [^&|;]+$/.test(script),
    );
    expect(keeping).toEqual([]);
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)/.test(name))).toEqual([]);
  });

  it('run the program with the options of node that the image and the benches give it', () => {
    const { start, oddsmith } = scriptsOf(ROOT);
    const options = NODE_OPTIONS.join(' ');
    expect(start).toContain(`exec node ${options} dist/src/cli/main.js`);
    expect(oddsmith).toContain(`exec node ${options} dist/src/cli/main.js`);
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(
      `ENTRYPOINT ${JSON.stringify(['node', ...NODE_OPTIONS, 'dist/src/cli/main.js']).replaceAll(',', ', ')}`,
    );
  });

  it('end with 0 on Ctrl-C, and nothing runs on', async () => {
    const terminal = openTerminal('npm start', house());
    await terminal.shows(/started/);
    terminal.press('\x03');
    expect(await terminal.exit).toBe(0);
    expect(terminal.leftovers()).toEqual([]);
  });

  it('end with 0 on SIGTERM, and nothing runs on', async () => {
    const terminal = openTerminal('npm start', house());
    await terminal.shows(/started/);
    terminal.signal('SIGTERM');
    expect(await terminal.exit).toBe(0);
    expect(terminal.leftovers()).toEqual([]);
  });

  it('are seen leaving the program behind when a shell stays between', async () => {
    const terminal = openTerminal(
      'npm start',
      house((start) => `${start.replace('exec node', 'node')}; true`),
    );
    await terminal.shows(/started/);
    terminal.signal('SIGTERM');
    expect(await terminal.exit).not.toBe(0);
    expect(terminal.leftovers()).not.toEqual([]);
  });
});
