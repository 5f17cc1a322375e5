import { mkdirSync, readFileSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defineEventStrategy,
  defineModifier,
  defineStrategy,
  NO_QUOTES,
  withModifiers,
} from '../../../../src/core/strategy/sdk.js';
import type { StrategyInstance } from '../../../../src/core/strategy/instance.js';
import { MarketSignals } from '../../../../src/core/strategy/signals/market-signals.js';
import {
  readStrategyStates,
  restoreStrategyStates,
  StrategyStatesFile,
} from '../../../../src/ops/state/strategy-states.js';
import { contextOf, instanceOf, MARKET, OTHER_MARKET } from '../../../support/bot/strategy-context.js';
import { bookOf, eventContextOf, fillOf } from 'oddsmith/sdk/testing';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

/** Counts how often it was asked. */
const counting = (stateVersion: number | null, initial = 0) =>
  defineStrategy({
    name: 'counting',
    params: {},
    initialState: initial,
    ...(stateVersion !== null && { stateVersion }),
    quote: ({ state }) => ({ ...NO_QUOTES, state: state + 1 }),
  });

const askedOf = (instance: StrategyInstance): unknown => new Map(instance.states()).get(MARKET);

function scene() {
  const path = join(scratchFolder(), 'account', 'strategy-states.ndjson');
  mkdirSync(dirname(path));
  const lines: string[] = [];
  const errors: string[] = [];
  const note = (text: string): void => void lines.push(text);
  const logger = { info: note, warn: note, error: (text: string) => void errors.push(text) };
  /** Begins a run of these instances. */
  const begin = (...instances: readonly StrategyInstance[]) => {
    const found = restoreStrategyStates(path, instances, logger);
    return new StrategyStatesFile({ path, instances, found, logger });
  };
  /** Two beats, and what they began to write. */
  const beat = async (file: StrategyStatesFile): Promise<void> => {
    file.review();
    file.review();
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  return { path, lines, errors, begin, beat };
}

describe('what strategies remember', () => {
  it('is taken over by the next run', async () => {
    const { begin } = scene();
    const first = instanceOf(counting(1));
    const file = begin(first);
    first.decide(contextOf());
    first.decide(contextOf());
    await file.close();
    const second = instanceOf(counting(1));
    begin(second);
    second.decide(contextOf());
    expect(askedOf(second)).toBe(3);
  });

  it('is on the disk two beats later, so that a kill loses less than a second', async () => {
    const { path, begin, beat } = scene();
    const instance = instanceOf(counting(1));
    const file = begin(instance);
    instance.decide(contextOf());
    await beat(file);
    expect(readStrategyStates(path)).toEqual([
      { instance: 'tested', strategy: 'counting', stateVersion: '1', id: MARKET, state: 1 },
    ]);
    writeFileSync(path, 'untouched');
    await beat(file);
    expect(readFileSync(path, 'utf8')).toBe('untouched');
  });

  it('of another version is left, with one line in the log', async () => {
    const { begin, lines } = scene();
    const first = instanceOf(counting(1));
    const file = begin(first);
    first.decide(contextOf());
    await file.close();
    const second = instanceOf(counting(2));
    begin(second);
    expect(askedOf(second)).toBeUndefined();
    expect(lines).toEqual([
      'instance tested begins with the initial state: what is kept is of counting, stateVersion 1, not of counting, stateVersion 2',
    ]);
  });

  it('is not kept for a strategy without a version', async () => {
    const { path, begin } = scene();
    const instance = instanceOf(counting(null));
    const file = begin(instance);
    instance.decide(contextOf());
    await file.close();
    expect(readStrategyStates(path)).toEqual([]);
  });

  it('of instances that do not run stays', async () => {
    const { path, begin } = scene();
    const first = instanceOf(counting(1));
    const file = begin(first);
    first.decide(contextOf());
    await file.close();
    await begin().close();
    expect(readStrategyStates(path)).toHaveLength(1);
  });

  it('of an instance that left is not written over what the next of its name remembers', async () => {
    const { path, begin, beat } = scene();
    const first = instanceOf(counting(1));
    const file = begin(first);
    first.decide(contextOf());
    await beat(file);
    const second = instanceOf(counting(1, 40));
    file.joins(second);
    second.decide(contextOf());
    await beat(file);
    expect(readStrategyStates(path)).toMatchObject([{ state: 41 }]);
    writeFileSync(path, 'untouched');
    await beat(file);
    expect(readFileSync(path, 'utf8')).toBe('untouched');
  });

  it('in a damaged file is forgotten, with one sentence', async () => {
    const { path, begin, lines } = scene();
    const first = instanceOf(counting(1));
    const file = begin(first);
    first.decide(contextOf());
    await file.close();
    truncateSync(path, readFileSync(path).length - 20);
    const second = instanceOf(counting(1));
    const next = begin(second);
    expect(lines).toEqual([
      `${path} should hold what strategies remember, and cannot be read: they begin anew`,
    ]);
    second.decide(contextOf());
    await next.close();
    expect(readStrategyStates(path)).toHaveLength(1);
  });

  it('that the disk does not take is said once and tried again', async () => {
    const { path, begin, beat, errors } = scene();
    const instance = instanceOf(counting(1));
    const file = begin(instance);
    mkdirSync(`${path}.new`);
    instance.decide(contextOf());
    await beat(file);
    await beat(file);
    expect(errors).toHaveLength(1);
    rmdirSync(`${path}.new`);
    await beat(file);
    expect(readStrategyStates(path)).toHaveLength(1);
  });
});

describe('what signals remember of own fills', () => {
  const judged = defineModifier({
    name: 'judged',
    params: {},
    signals: { markOut: { kind: 'markOut', horizonMs: 1_000 } },
    apply: (sides) => sides,
  });
  const judging = () =>
    instanceOf(withModifiers(counting(null) as never, [{ modifier: judged as never, parameters: {} }]));
  const START = 1_786_000_000_000;
  const looker = (instance: StrategyInstance) => {
    const signals = new MarketSignals(false, instance.signalMemory(MARKET));
    signals.declare(instance.signals);
    const look = (ms: number, mid: number) => {
      const book = bookOf(mid - 0.01, mid + 0.01);
      signals.look(() => ({ nowMs: START + ms, book, fair: null, msToClose: null }));
      return signals.views['judged.markOut'];
    };
    return { signals, look };
  };

  it('is taken over by the next run, whatever the version of the strategy', async () => {
    const { begin, lines } = scene();
    const first = judging();
    const file = begin(first);
    const { signals, look } = looker(first);
    look(0, 0.5);
    signals.filled(fillOf({ side: 'bid', midBefore: 0.5 }), START);
    const before = look(1_000, 0.46);
    await file.close();
    const second = judging();
    begin(second);
    expect(before?.value).toBeCloseTo(-0.008, 5);
    expect(looker(second).look(1_000, 0.46)).toEqual(before);
    expect(lines).toEqual(['instance tested goes on with the signals that an earlier run left']);
  });

  it('holds the fills that wait: one whose time has not come is judged by the next run', async () => {
    const { begin } = scene();
    const first = judging();
    const file = begin(first);
    const { signals, look } = looker(first);
    look(0, 0.5);
    signals.filled(fillOf({ side: 'ask', midBefore: 0.5 }), START);
    signals.filled(fillOf({ side: 'ask', midBefore: 0.5 }), START + 600);
    await file.close();
    const second = judging();
    begin(second);
    const next = looker(second);
    // The first was due while nobody looked.
    expect(next.look(1_200, 0.46)).toBeNull();
    expect(next.look(1_600, 0.46)).toMatchObject({ value: expect.closeTo(0.008, 5) as number, count: 1 });
  });
});

describe('what an event strategy remembers', () => {
  it('is kept by event, whichever of its markets are quoted', async () => {
    const { path, begin } = scene();
    const none: number = 0;
    const ofEvent = defineEventStrategy({
      name: 'of-event',
      params: {},
      initialState: none,
      stateVersion: 1,
      quote: ({ state }) => ({ ladders: {}, state: state + 1 }),
    });
    const first = instanceOf(ofEvent);
    const file = begin(first);
    const { event, ...context } = eventContextOf(ofEvent);
    first.decideEvent({ event, ...context }, [MARKET, OTHER_MARKET]);
    await file.close();
    expect(readStrategyStates(path)).toEqual([
      { instance: 'tested', strategy: 'of-event', stateVersion: '1', id: event.id, state: 1 },
    ]);
    const second = instanceOf(ofEvent);
    begin(second);
    second.decideEvent({ event, ...context }, [OTHER_MARKET, MARKET]);
    expect([...second.states()]).toEqual([[event.id, 2]]);
  });
});

describe('the version of a state', () => {
  const modifier = { name: 'calm', params: {}, initialState: 0, apply: () => NO_QUOTES };

  it('names every modifier, whose memory lies beside that of the strategy', () => {
    const uses = [{ modifier: { ...modifier, stateVersion: 4 }, parameters: {} }];
    expect(instanceOf(withModifiers(counting(1) as never, uses)).stateVersion).toBe('counting 1, calm 4');
  });

  it('is missing where one of them has none', () => {
    const uses = [{ modifier, parameters: {} }];
    expect(instanceOf(withModifiers(counting(1) as never, uses)).stateVersion).toBeNull();
  });
});
