import { expect, it } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { withTitles } from '../../../../src/runs/live/live-report.js';
import { marketView } from '../../../support/bot/engine-view.js';
import { sampleReport } from '../../../support/report/sample-report.js';

it('a report names events and markets as the venue did in the run', () => {
  const [run] = sampleReport().scenarios;
  const told = marketView({
    marketId: marketId(run!.markets[0]!.id),
    eventId: eventId(run!.events[0]!.id),
    title: 'Of the venue',
    eventTitle: 'Its event',
  });
  const { events, markets } = withTitles(run!, { markets: [told] });
  expect([events[0]!.title, markets[0]!.title]).toEqual(['Its event', 'Of the venue']);
  expect(markets[1]!.title).toBe(run!.markets[1]!.title);
});
