import { expect, it, vi } from 'vitest';
import { choosePresenter } from '../../../src/cli/presenter.js';
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
