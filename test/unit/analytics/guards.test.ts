import { describe, expect, it } from 'vitest';
import { StopLog, heldFigures, HoldMeter } from '../../../src/analytics/guard-figures.js';
import { marketId } from '../../../src/domain/ids.js';
import { timeAt } from '../../support/report/watched-run.js';

const stop = { rule: 'fill-breaker', scope: 'market', id: marketId(1), text: 'first' } as const;

describe('a log of stops', () => {
  it('counts the stops of one rule in one place together, with the first and the last time', () => {
    const log = new StopLog();
    log.stopped(stop, timeAt(1));
    log.stopped({ ...stop, text: 'second' }, timeAt(5));
    log.stopped({ ...stop, id: marketId(2) }, timeAt(6));
    expect(log.figures()).toMatchObject([
      { id: '1', times: 2, text: 'first', firstAt: timeAt(1), lastAt: timeAt(5) },
      { id: '2', times: 1 },
    ]);
  });

  it('takes what latched once and is said again for one stop', () => {
    const log = new StopLog();
    for (let times = 0; times < 3; times++) log.stopped(stop, timeAt(1));
    expect(log.figures()).toMatchObject([{ times: 1 }]);
  });
});

describe('a meter of what is held back', () => {
  it('adds up each reason within the observed time, and stops at the resolution', () => {
    const meter = new HoldMeter(timeAt(0));
    meter.set(timeAt(0), 'starting');
    meter.set(timeAt(10), null);
    meter.set(timeAt(20), 'killed');
    meter.close(timeAt(40));
    expect(heldFigures([meter], timeAt(100))).toEqual([
      { reason: 'killed', seconds: 20, share: 0.5 },
      { reason: 'starting', seconds: 10, share: 0.25 },
    ]);
  });

  it('counts from the first price on, with the reason that held already', () => {
    const meter = new HoldMeter(timeAt(0));
    meter.set(timeAt(0), 'market-paused');
    meter.begin(timeAt(50));
    meter.set(timeAt(60), null);
    expect(heldFigures([meter], timeAt(70))).toEqual([{ reason: 'market-paused', seconds: 10, share: 0.5 }]);
  });

  it('adds up several markets', () => {
    const [one, other] = [new HoldMeter(timeAt(0)), new HoldMeter(timeAt(0))];
    one.set(timeAt(0), 'killed');
    expect(heldFigures([one, other], timeAt(10))).toEqual([{ reason: 'killed', seconds: 10, share: 0.5 }]);
  });
});
