import { readFileSync, writeFileSync } from 'node:fs';
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

it('of several accounts none has what is printed on the console of the process in its log', () => {
  const log = join(scratchFolder(), 'bot.log');
  const { settings, source } = loaded(scratchFolder());
  const one = { source, settings: { ...settings, log: { ...settings.log, file: log } } };
  const { logger } = openContext(one, [], false, false);
  expect(globalThis.console).toBe(usual);
  logger.info('of the bot');
  openContext(one, [], false);
  globalThis.console.log('of its strategy');
  const texts = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
  expect(texts).toEqual(['of the bot', 'of its strategy']);
});
