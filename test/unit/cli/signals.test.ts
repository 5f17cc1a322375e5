import { expect, it, vi } from 'vitest';
import { hearStopSignals, sharedSignals } from '../../../src/cli/signals.js';
import { forgetStopSignals } from '../../support/process/stop-signals.js';

forgetStopSignals();

const kill = (): boolean => process.emit('SIGUSR2', 'SIGUSR2');

it('a kill that nobody has taken is told to who listens next, once', () => {
  const signals = hearStopSignals('');
  kill();
  const cannot = vi.fn<() => boolean>(() => false);
  signals.onKill(cannot);
  const bot = vi.fn<() => boolean>(() => true);
  signals.onKill(bot);
  const later = vi.fn<() => boolean>(() => true);
  signals.onKill(later);
  expect([cannot, bot, later].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  kill();
  expect(later).toHaveBeenCalledOnce();
});

it('signals of several runs reach each of them, those that came before it listened too', () => {
  const next = sharedSignals(hearStopSignals(''));
  const [one, other] = [next(), next()];
  const killed = vi.fn<() => boolean>(() => true);
  one.onKill(killed);
  kill();
  const late = vi.fn<() => boolean>(() => true);
  other.onKill(late);
  const [stop, later] = [vi.fn<(signal: string) => void>(), vi.fn<(signal: string) => void>()];
  one.onStop(stop);
  process.emit('SIGTERM', 'SIGTERM');
  other.onStop(later);
  const calls = [killed, late, stop, later].map(({ mock }) => mock.calls.length);
  expect(calls).toEqual([1, 1, 1, 1]);
});

it('a kill that came before any of several runs reaches each of them', () => {
  const next = sharedSignals(hearStopSignals(''));
  kill();
  const runs = [next(), next()].map((signals) => {
    const killed = vi.fn<() => boolean>(() => true);
    signals.onKill(killed);
    return killed;
  });
  expect(runs.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});
