import { describe, expect, it } from 'vitest';
import { loadBotSettings, loadExchangeSettings } from '../../../src/settings/index.js';

const KEYS = {
  FUTUUR_PUBLIC_KEY: 'pk',
  FUTUUR_PRIVATE_KEY: 'sk',
  ODDSMITH_PRIVATE_KEY: 'sk',
  ODDSMITH_HTTP_TOKEN: '0123456789abcdef',
};

describe('the configuration files that ship with the project', () => {
  it.each([
    'config/demo.yaml',
    'config/events.yaml',
    'config/library.yaml',
    'config/fair-values.yaml',
    'config/futuur-play-money.yaml',
    'config/local.yaml',
  ])('%s is valid for a bot', (file) => {
    expect(loadBotSettings(file, KEYS).settings.instances.length).toBeGreaterThan(0);
  });

  it('config/exchange.yaml is valid for the exchange', () => {
    expect(loadExchangeSettings('config/exchange.yaml', {}).settings.accounts[0]!.username).toBe('maker');
  });

  it('futuur-play-money says which variable is missing', () => {
    expect(() => loadBotSettings('config/futuur-play-money.yaml', {})).toThrow(
      /config\/futuur-play-money\.yaml:\d+:\d+ the environment variable FUTUUR_PUBLIC_KEY is not set/,
    );
  });
});
