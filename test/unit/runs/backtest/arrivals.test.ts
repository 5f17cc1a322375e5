import { expect, it } from 'vitest';
import { Arrivals } from '../../../../src/runs/backtest/arrivals.js';

const taken = (arrivals: Arrivals<string>): (readonly [number, string])[] => {
  const all: (readonly [number, string])[] = [];
  while (arrivals.nextAt < Infinity) all.push([arrivals.nextAt, arrivals.take()]);
  return all;
};

it('what is faster overtakes, and of the same time what left first arrives first', () => {
  const arrivals = new Arrivals<string>();
  for (const [at, item] of [
    [30, 'slow'],
    [20, 'first'],
    [20, 'second'],
    [10, 'fast'],
  ] as const)
    arrivals.push(at, item);
  expect(taken(arrivals)).toEqual([
    [10, 'fast'],
    [20, 'first'],
    [20, 'second'],
    [30, 'slow'],
  ]);
});

it('nothing can be taken when nothing is under way', () => {
  expect(() => new Arrivals().take()).toThrow('nothing is under way');
});
