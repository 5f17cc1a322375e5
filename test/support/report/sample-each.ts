/** Backtests of two instances on five recordings of two days, invented. */
import { EachBooks, type EachReport } from '../../../src/report/each-report.js';
import { sampleReport } from './sample-report.js';

export function sampleEach(): EachReport {
  const books = new EachBooks('recordings.yaml');
  const rain = sampleReport(4).scenarios;
  // The other one earns what the first did under the next scenario.
  const cup = rain.map(({ scenario }, place) => ({ ...rain[(place + 1) % rain.length]!, scenario }));
  const drawn = { rain, cup };
  for (let place = 0; place < 5; place += 1)
    for (const instance of ['rain', 'cup'] as const) {
      books.add({
        recording: `invented/window-${place}-<b>`,
        day: `2026-11-${20 + (place % 2)}`,
        instance,
        strategy: 'inventory-skew',
        runId: `bt-${instance}-${place}`,
        analyses: drawn[instance],
        headline: 0,
        faults: [],
        remarks: place === 2 ? ['12 updates came too late'] : [],
        page: place === 0 ? `../bt-${instance}-${place}/report.html` : null,
      });
    }
  return books.report()!;
}
