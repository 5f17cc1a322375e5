import type { Bot } from '../runs/live/bot.js';
import type { EndEffect } from '../domain/effects.js';
import { EXIT, type ExitCode } from '../domain/errors.js';
import { afterDelay } from '../storage/clocks/system-clock.js';
import type { Presenter, RunHead } from './presenter.js';
import type { StopSignals } from './signals.js';

export interface WatchOptions {
  readonly bot: Bot;
  readonly head: RunHead;
  readonly presenter: Presenter;
  /** Stop by itself after this long; null: until a signal. */
  readonly forMs: number | null;
  readonly signals: StopSignals;
}

const EXIT_BY_OUTCOME: Readonly<Record<EndEffect['outcome'], ExitCode>> = {
  clean: EXIT.clean,
  'orders-may-remain': EXIT.ordersMayRemain,
  invariant: EXIT.internal,
  'keys-refused': EXIT.keysRefused,
};

/** What a second signal leaves behind. */
export const FORCED = 'ended at once; orders may remain at the venue';

/** Shows a bot until it has ended: by a signal, by time, or by itself. @returns the exit code */
export async function watchBot({ bot, head, presenter, forMs, signals }: WatchOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const show = (): void => presenter.show(bot.view(), elapsed());
  presenter.ready(head);
  show();
  const pictures = setInterval(show, presenter.everyMs);
  const cancelLimit = forMs === null ? null : afterDelay(forMs, () => bot.stop('the time given is over'));
  signals.onStop((signal) => {
    bot.stop(signal);
    show();
  });
  signals.onKill((signal) => {
    bot.kill(signal);
    show();
    return true;
  });
  try {
    const end = await bot.ended;
    presenter.ended(bot.view(), end, elapsed(), bot.reportPage);
    return killedOr(EXIT_BY_OUTCOME[end.outcome], bot);
  } finally {
    clearInterval(pictures);
    cancelLimit?.();
  }
}

const killedOr = (code: ExitCode, bot: Bot): ExitCode =>
  code === EXIT.clean && bot.view().killed !== null ? EXIT.killLatched : code;
