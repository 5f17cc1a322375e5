import { priceUnits, shares } from '../../../src/domain/units.js';
import { benchOptions, median, printFigure } from '../figures.js';
import { fresh } from '../processes.js';
import { OddsmithSubject, PlainSubject, type Subject } from './mirrors.js';
import { START, Updates, eventsOf } from './updates.js';

const UPDATES = 200_000;
const VIEWS = 200_000;
const WARM_UP_PASSES = 3;
const COUNTED_PASSES = 7;
/** The message of specification 6.3 as text, for the yardstick: what parsing it costs beside applying it. */
const FRAME = JSON.stringify({
  market_id: 2231,
  event_id: 873,
  currency: 'OOM',
  currency_mode: 'play_money',
  top_n: 5,
  ask: [1, 2, 3, 4, 5].map((d) => ({ price: 0.5 + d / 100, total_shares: 1234.5 * d, total_amount: 617.25 })),
  bid: [1, 2, 3, 4, 5].map((d) => ({ price: 0.5 - d / 100, total_shares: 1234.5 * d, total_amount: 617.25 })),
  timestamp: '2026-01-01T00:00:00.000Z',
});

/** One measurement in a process of its own. */
export interface Job {
  readonly measure: 'oddsmith' | 'plain-objects' | 'json-parse' | 'view';
  readonly markets: number;
}

/** Measures applying top-5 updates by number of markets, against plain objects and against parsing the text alone. */
export async function run(args: string[]): Promise<void> {
  const { rounds, cases } = benchOptions(args, ['10', '1000', '10000'] as const);
  for (const name of cases) await runCase(name, rounds);
}

async function runCase(name: string, rounds: number): Promise<void> {
  const measures = ['oddsmith', 'plain-objects', 'json-parse', 'view'] as const;
  const values: Record<Job['measure'], number[]> = {
    oddsmith: [],
    'plain-objects': [],
    'json-parse': [],
    view: [],
  };
  for (let round = 0; round < rounds; round++)
    for (const measure of measures)
      values[measure].push(await fresh<number>('mirror', { measure, markets: Number(name) } satisfies Job));
  const figure = { bench: 'mirror', case: `${name} markets`, engine: 'oddsmith' };
  const { 'plain-objects': plain, 'json-parse': parse } = values;
  printFigure({
    ...figure,
    figure: 'apply top-5 update',
    unit: 'ns',
    values: values.oddsmith,
    peers: { 'plain-objects': plain, 'json-parse': parse },
  });
  printFigure({ ...figure, figure: 'view less own orders', unit: 'ns', values: values.view });
}

/** @returns nanoseconds an operation of the middle pass */
export function job({ measure, markets }: Job): number {
  const events = eventsOf(markets);
  const ids = events.flatMap((event) => event.markets.map((market) => market.id));
  switch (measure) {
    case 'json-parse':
      return nsPerOperation(50_000, () => void JSON.parse(FRAME));
    case 'view':
      return viewing(new OddsmithSubject(events), new Updates(ids, UPDATES));
    case 'oddsmith':
    case 'plain-objects': {
      const subject = measure === 'oddsmith' ? new OddsmithSubject(events) : new PlainSubject();
      const updates = new Updates(ids, UPDATES);
      const ns = nsPerOperation(UPDATES, () => subject.apply(updates.next()));
      expectApplied(subject, updates);
      return ns;
    }
  }
}

function viewing(subject: OddsmithSubject, updates: Updates): number {
  for (let update = 0; update < UPDATES; update++) subject.apply(updates.next());
  const { mirror } = subject;
  const ids = mirror.markets.map((market) => market.id);
  const own = (['bid', 'ask'] as const).map((side) => ({
    side,
    price: priceUnits(5_000),
    shares: shares(100),
    spared: shares(0),
  }));
  let at = 0;
  return nsPerOperation(VIEWS, () => void mirror.view(ids[(at += 1) % ids.length]!, own, START));
}

/** In processor time, for these loops never wait and the machine may be shared. */
function nsPerOperation(operations: number, operate: () => void): number {
  const passes: number[] = [];
  for (let pass = 0; pass < WARM_UP_PASSES + COUNTED_PASSES; pass++) {
    const before = process.cpuUsage();
    for (let operation = 0; operation < operations; operation++) operate();
    const { user, system } = process.cpuUsage(before);
    passes.push(((user + system) * 1_000) / operations);
  }
  return median(passes.slice(WARM_UP_PASSES));
}

/** @throws Error when an update did not arrive in the book */
function expectApplied(subject: Subject, updates: Updates): void {
  for (let checked = 0; checked < 1_000; checked++) {
    const update = updates.next();
    subject.apply(update);
    if (subject.bestBid(update.marketId) !== update.bids.prices[0]! / 100)
      throw new Error(`an update of market ${update.marketId} was not applied`);
  }
}
