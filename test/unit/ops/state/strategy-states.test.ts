import { mkdirSync, readFileSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineStrategy, NO_QUOTES, withModifiers } from '../../../../src/core/strategy/sdk.js';
import type { StrategyInstance } from '../../../../src/core/strategy/instance.js';
import {
  readStrategyStates,
  restoreStrategyStates,
  StrategyStatesFile,
} from '../../../../src/ops/state/strategy-states.js';
import { contextOf, instanceOf, MARKET } from '../../../support/bot/strategy-context.js';
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
