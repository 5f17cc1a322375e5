import { describe, expect, it } from 'vitest';
import { eventId, marketId } from '../../../src/domain/ids.js';
import {
  checkBotSettings,
  type Chosen,
  chosenMarkets,
  expanded,
  isSelecting,
  type SettingsError,
  SettingsSource,
} from '../../../src/settings/index.js';

const text = (events: string, ...instances: readonly string[]): string =>
  `backtest: { recordings: [a] }\nevents: ${events}\ninstances:\n${instances
    .map((one, at) => `  - { name: ${'abc'[at]}, strategy: fixed-spread${one} }\n`)
    .join('')}`;
const EVENTS = '[{ id: 1, markets: [{ id: 11 }, { id: 12 }] }, { id: 2, markets: [{ id: 21 }] }]';

const load = (content: string) => checkBotSettings(SettingsSource.parse(content, 'bot.yaml', {})).settings;
const quoted = (settings: ReturnType<typeof load>) =>
  settings.instances.map(({ markets }) => markets.join(' '));
function problem(content: string): string {
  try {
    load(content);
    return '';
  } catch (error) {
    return (error as SettingsError).message.replaceAll('bot.yaml:', '');
  }
}

const market = (event: number, id: number) => ({ eventId: eventId(event), marketId: marketId(id) });
const chosen = (changes: Partial<Chosen>): Chosen => ({ whole: [], selected: {}, watched: [], ...changes });

describe('the markets of an instance', () => {
  it.each([
    [[''], ['11 12 21']],
    [
      [', events: [2]', ''],
      ['21', '11 12'],
    ],
    [
      [', markets: [12], events: [2]', ''],
      ['12 21', '11'],
    ],
    [
      [', markets: [12]', ', events: [2]'],
      ['12', '21'],
    ],
  ])('%j are those that it names, those of its events, or all that are left: %j', (instances, expected) => {
    expect(quoted(load(text(EVENTS, ...instances)))).toEqual(expected);
  });

  it('are refused where two instances have one, none is left, or an event is not in the file', () => {
    expect(problem(text(EVENTS, ', markets: [11]', ', events: [1]'))).toBe(
      '5:48 instances[1].events: market 11 is already quoted by a; one market, one instance',
    );
    expect(problem(text(EVENTS, ', events: [1, 2]', ''))).toBe(
      '5:5 instances[1]: expected markets: no market of the file is left for this instance',
    );
    expect(problem(text(EVENTS, ', events: [3]'))).toContain('event 3 is not among the events of the file');
    expect(problem(text('[]', ''))).toContain(
      '2:9 events: expected at least one event, or an instance with select',
    );
  });
});

describe('markets that the venue chooses', () => {
  const whole = text('[{ id: 1, markets: all }]', ', events: [1]');
  const select = text(EVENTS, ', select: { max: 2, closesAfter: +24h }', ', markets: [11]');

  it('are those of a whole event, and those of a selection that no instance names', () => {
    expect(isSelecting(load(text(EVENTS, '')))).toBe(false);
    expect(isSelecting(load(whole))).toBe(true);
    const found = expanded(load(whole), chosen({ whole: [market(1, 11), market(1, 12)] }));
    expect(quoted(found)).toEqual(['11 12']);
    const offered = [market(1, 11), market(1, 12), market(7, 71)];
    const selected = expanded(load(select), chosen({ selected: { a: offered } }));
    expect(quoted(selected)).toEqual(['12 71', '11']);
    expect(selected.events.map(({ id, markets }) => [id, markets.length])).toEqual([
      ['1', 2],
      ['2', 1],
      ['7', 1],
    ]);
    expect(selected.events[2]!.markets[0]).toMatchObject({ tickSize: 'auto', ownership: 'exclusive' });
  });

  it('are watched, not quoted, once an earlier choice alone has them', () => {
    const found = expanded(
      load(whole),
      chosen({ whole: [market(1, 11)], watched: [market(9, 91), market(1, 12)] }),
    );
    expect(quoted(found)).toEqual(['11']);
    expect(chosenMarkets(found).map(({ marketId: id }) => id)).toEqual(['11', '12', '91']);
  });

  it('are told by wishes that can be read', () => {
    expect(load(select).instances[0]!.select).toMatchObject({ max: 2, closesAfter: { afterMs: 86_400_000 } });
    expect(problem(select.replace('+24h', 'soon'))).toMatch(
      /closesAfter: expected an ISO 8601 time .* found "soon"/,
    );
  });
});
