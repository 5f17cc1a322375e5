import { expect, it, vi } from 'vitest';
import { choosePresenter, watchBot, type WatchOptions } from '../../../src/cli/presenter.js';
import { sharedSignals } from '../../../src/cli/signals.js';
import { engineView } from '../../support/bot/engine-view.js';

it('without a terminal a bot says how it is once a minute, and at once when its state changes', () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  const presenter = choosePresenter(false);
  const view = engineView({ recentFills: [] });
  for (const second of [0, 2, 58, 60]) presenter.show(view, second * 1_000);
  presenter.show(engineView({ recentFills: [], phase: 'stopping' }), 61_000);
  write.mockRestore();
  const states = lines.flatMap((line) => /^(\d\d:\d\d) {2}(\w+)/.exec(line)?.slice(1) ?? []);
  expect(states).toEqual(['00:00', 'running', '01:00', 'running', '01:01', 'stopping']);
});

it('a signal to read the file again reaches the bots that run, and none that has ended', async () => {
  let hangUp = (): void => undefined;
  const none = (): void => undefined;
  const next = sharedSignals({
    onStop: none,
    onKill: none,
    onReload: (callback) => (hangUp = callback),
    release: none,
  });
  const watched = (ended: Promise<unknown>) => {
    const reload = vi.fn<(by: string) => void>();
    const view = () => engineView({ recentFills: [] });
    const bot = { ended, reload, view, reportPage: null } as unknown as WatchOptions['bot'];
    const presenter = { ready: vi.fn<() => void>(), show: vi.fn<() => void>(), ended: vi.fn<() => void>() };
    const of = { bot, head: { title: '', links: [] }, forMs: null, signals: next() };
    return { reload, exit: watchBot({ ...of, presenter: { ...presenter, everyMs: null } }) };
  };
  const over = watched(Promise.resolve({ outcome: 'clean' }));
  const running = watched(new Promise(() => undefined));
  expect(await over.exit).toBe(0);
  hangUp();
  expect([over.reload, running.reload].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});
