import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { openContext } from '../../../src/cli/context.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { scratchFolder } from '../../support/disk/scratch-folder.js';

const usual = globalThis.console;
afterEach(() => void (globalThis.console = usual));

const FILE = `events: [{ id: 1, markets: [{ id: 2 }] }]
exchange: {}
instances: [{ name: a, strategy: fixed-spread, markets: [2], limits: {} }]
`;

function loaded(stateDir: string) {
  const file = join(scratchFolder(), 'bot.yaml');
  writeFileSync(file, `${FILE}stateDir: ${stateDir}\n`);
  return loadBotSettings(file, {});
}

it('a state folder that cannot be made is named with its line and key', () => {
  const file = join(scratchFolder(), 'a-file');
  writeFileSync(file, '');
  expect(() => openContext(loaded('/proc/none'), [], false)).toThrow(
    /bot\.yaml:4:11 stateDir: \/proc takes no folders \(ENOENT\); the state of the bot is kept there$/,
  );
  expect(() => openContext(loaded(file), [], false)).toThrow(/bot\.yaml:4:11 stateDir: .*ENOTDIR/);
});

it('what a strategy prints on the console goes to the log, not among the results', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  openContext(loaded(scratchFolder()), [], false);
  globalThis.console.log('scribble');
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});
