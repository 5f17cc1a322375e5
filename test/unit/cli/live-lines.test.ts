import { describe, expect, it } from 'vitest';
import { LiveLine, ProgressBar, ReadingProgress } from '../../../src/cli/screen/progress.js';
import { Window } from '../../support/screen/window.js';

const WIDTHS = [200, 80, 60, 40, 20, 10];

/** Both are silent for their first moments after the process began. */
const shown = (columns: number, show: (window: Window) => void): readonly string[] => {
  const window = new Window(5, columns);
  show(window);
  return window.lines;
};

describe.each(WIDTHS)('in %i columns', (columns) => {
  it('a progress bar takes one line, and says how far it is', () => {
    const lines = shown(columns, ({ stream }) => new ProgressBar(stream, 'backtest').show(520, 1_000));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('52 %');
    expect(lines[0]!.length).toBeLessThanOrEqual(columns);
  });

  it('so does a long reading', () => {
    const lines = shown(columns, ({ stream }) =>
      new ReadingProgress('merging two tapes', 12_500_000, stream).onRead(5_250_000),
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('42 %');
    expect(lines[0]!.length).toBeLessThanOrEqual(columns);
  });

  it('a line that is written anew leaves nothing of the one before, and nothing at its end', () => {
    const window = new Window(5, columns);
    const line = new LiveLine(window.stream);
    for (const frames of [1_234_567, 12])
      line.show([
        { text: 'connected', rank: 0 },
        { text: `${frames} frames`, rank: 1 },
      ]);
    expect(window.lines).toEqual([columns < 20 ? 'connected' : 'connected  12 frames']);
    line.clear();
    expect(window.lines).toEqual(['']);
  });
});
