import { expect, it, vi } from 'vitest';
import { hearStopSignals } from '../../../src/cli/signals.js';
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
