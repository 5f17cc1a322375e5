/** The schema of a bot's configuration file. Every default is here and nowhere else. */
import { canarySchema } from './canary-schema.js';
import { z } from 'zod';
import {
  boundedMsScalar,
  countScalar,
  currencyModeScalar,
  currencyScalar,
  eventScalar,
  fractionScalar,
  marketScalar,
  portScalar,
  tickSizeScalar,
  timeScalar,
  hostScalar,
  pathScalar,
} from './scalars.js';
import { alertsSchema } from './alerts-schema.js';
import { backtestSchema } from './backtest-schema.js';
import { exchangeSchema } from './exchange-schema.js';
import { fairValuesSchema } from './fair-values-schema.js';
import type { MarketId } from '../domain/ids.js';
import { paperSchema } from './paper-schema.js';
import { guardSchema, venueSchema } from './venue-schema.js';
import { limitsSchema, quotingSchema } from './quoting-schema.js';
import { selectSchema } from './select-schema.js';
import { shardingSchema } from './sharding-schema.js';
import { sweepSchema } from './sweep-schema.js';

const DAY_MS = 86_400_000;
/** Default state folder of a bot, relative to the working directory. */
export const DEFAULT_STATE_DIR = '.oddsmith';

/** First grid of a market with `tickSize: auto`, until its book or a refusal shows another. */
const FIRST_TICK_UNITS = 100;

/** Price units per tick of a market at the start. */
export const firstTickOf = (tickSize: number | 'auto'): number =>
  tickSize === 'auto' ? FIRST_TICK_UNITS : tickSize;

const EXPECTED_TICK =
  'expected auto, or a tick size that divides 1 into ticks and 10,000 by their number, such as "0.01" or "0.001"';

export const marketSchema = z.strictObject({
  id: marketScalar.describe('id at the venue'),
  title: z
    .string()
    .nullable()
    .default(null)
    .describe('title on screens until the venue tells its own; null: the id'),
  tickSize: z
    .union([z.literal('auto'), tickSizeScalar], { error: EXPECTED_TICK })
    .meta({ title: 'auto or price step' })
    .default('auto')
    .describe('price step; auto: 0.01 at first, then as the book and refused prices show it'),
  ownership: z
    .enum(['exclusive', 'shared'])
    .default('exclusive')
    .describe(
      "exclusive: every order of the account here is the bot's; shared: only orders that the bot sent",
    ),
});

const informationWindowSchema = z
  .strictObject({
    from: timeScalar.describe('start of the window'),
    to: timeScalar.describe('end of the window'),
  })
  .refine(({ from, to }) => from < to, { message: 'expected a window that begins before it ends' });

export const eventSchema = z
  .strictObject({
    id: eventScalar.describe('id at the venue'),
    title: z
      .string()
      .nullable()
      .default(null)
      .describe('title on screens until the venue tells its own; null: the id'),
    resolutionMode: z
      .enum(['exclusive', 'non_exclusive'])
      .nullable()
      .default(null)
      .describe(
        'exclusive: at most one market resolves long, which bounds the loss; null: as the venue says',
      ),
    exhaustive: z
      .boolean()
      .default(false)
      .describe('whether exactly one market resolves long, if they are exclusive'),
    winners: countScalar(2, 1_000)
      .nullable()
      .default(null)
      .describe('number of markets that resolve long, where it is certain and more than one'),
    closes: timeScalar
      .nullable()
      .default(null)
      .describe('when betting closes, as long as the venue does not say it'),
    underlying: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'subject of the event. Events of one day and subject count once in comparisons; null: the folder of its recording',
      ),
    category: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('events of one category share limits.maxCategoryLoss; null: of none'),
    informationWindows: z
      .array(informationWindowSchema)
      .default([])
      .describe('times of news, without quotes'),
    markets: z
      .union([z.literal('all'), z.array(marketSchema).min(1, 'expected at least one market')], {
        error: 'expected a list of markets, or all',
      })
      .meta({ title: 'list, or `all`' })
      .describe(
        'markets of the event, or all: those that are open when the run begins; a market that no instance has is observed, not quoted',
      ),
  })
  .superRefine(({ winners, exhaustive, resolutionMode, markets: listed }, context) => {
    const count = listed === 'all' ? Infinity : listed.length;
    if (winners !== null && (winners >= count || exhaustive || resolutionMode === 'exclusive')) {
      const message =
        'expected fewer winners than markets, and outcomes that are neither exclusive nor exhaustive';
      context.addIssue({ code: 'custom', path: ['winners'], message });
    }
    if (!exhaustive || (resolutionMode !== 'non_exclusive' && count > 1)) return;
    const message = 'expected false, but for several markets of which exactly one resolves long';
    context.addIssue({ code: 'custom', path: ['exhaustive'], message });
  });

const instanceSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected a kebab-case name')
    .describe('name in logs and metrics, in kebab-case'),
  strategy: z.string().min(1).describe('name of a bundled strategy, or path of a file relative to this file'),
  markets: z
    .array(marketScalar)
    .min(1, 'expected at least one market id')
    .nullable()
    .default(null)
    .describe(
      'ids of its markets, from events; a market belongs to one instance. Without markets, events and select: all that no other instance has',
    ),
  events: z
    .array(eventScalar)
    .min(1, 'expected at least one event id')
    .nullable()
    .default(null)
    .describe('ids of events whose markets are all its own; null: none'),
  select: selectSchema
    .nullable()
    .default(null)
    .describe('open markets of the venue that it quotes, chosen when the run begins; null: none'),
  params: z.record(z.string(), z.unknown()).default({}).describe('parameters that the strategy declares'),
  signals: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('signals by name: changes those that the strategy declares, and adds others'),
  modifiers: z
    .array(
      z.strictObject({
        modifier: z.string().min(1).describe('name of a bundled modifier, or path of a file, from this file'),
        params: z
          .record(z.string(), z.unknown())
          .default({})
          .describe('parameters that the modifier declares'),
      }),
    )
    .default([])
    .describe('modifiers of the ladder, in this order'),
  limits: limitsSchema.describe('limits of risk control'),
});

const reconciliationSchema = z
  .strictObject({
    accountEveryMs: boundedMsScalar(1_000, DAY_MS)
      .default(60_000)
      .describe(
        'time between listings of orders and reads of holdings and balances; up to ten minutes where half of the requests needs it',
      ),
    booksEveryMs: boundedMsScalar(1_000, DAY_MS)
      .default(60_000)
      .describe(
        'time from one comparison of a book with a read to the next, unless booksShare makes it longer',
      ),
    booksShare: fractionScalar
      .prefault('0.25')
      .describe('part of the request budget that reads of books get before quotes'),
  })
  .prefault({});

export const botSchema = z.strictObject({
  mode: z
    .enum(['live', 'paper'])
    .default('live')
    .describe('paper: live data of the venue, orders on a simulated one; needs no keys'),
  currencyMode: currencyModeScalar
    .default('play_money')
    .describe('real_money also needs the flag --real-money'),
  currency: currencyScalar.default('OOM').describe('currency of the run; OOM is play money'),
  seed: countScalar(0, 0xffff_ffff).default(1).describe('seed of the random source'),
  venue: venueSchema.nullable().default(null).describe('null: the bundled exchange of this file'),
  events: z
    .array(eventSchema)
    .default([])
    .describe('events and markets of the bot; at least one, unless an instance selects its markets'),
  instances: z
    .array(instanceSchema)
    .min(1, 'expected at least one strategy instance')
    .describe('strategies, each with its markets, parameters and limits'),
  sharding: shardingSchema.describe(
    'several processes trade the account, each of them other events; null: one process trades all',
  ),
  fairValues: fairValuesSchema.describe(
    'where fair values come from; a market without a source has the weighted mid of its book',
  ),
  quoting: quotingSchema.describe('how quotes are kept, for all instances'),
  reconciliation: reconciliationSchema.describe(
    'how often orders, holdings and books are compared with the venue',
  ),
  startOrders: z
    .enum(['cancel', 'adopt'])
    .default('cancel')
    .describe('cancel or adopt the open orders that are found at the start'),
  stateDir: pathScalar
    .default(DEFAULT_STATE_DIR)
    .describe(
      'folder of journal, locks, latches, logs, runs, tapes and sweeps; relative to the working directory',
    ),
  journal: z
    .strictObject({
      sync: z
        .enum(['group', 'before-send'])
        .default('group')
        .describe(
          'group: a power loss may lose the last 20 ms; before-send: each order is on the disk before it is sent. A killed process loses nothing',
        ),
    })
    .prefault({})
    .describe('file of orders; each is written before it is sent'),
  report: z
    .strictObject({
      write: z
        .boolean()
        .default(true)
        .describe('whether a report is written when the run ends, below stateDir in runs/<run id>'),
    })
    .prefault({})
    .describe('report of a run, as a page, JSON and CSV'),
  tape: z
    .strictObject({
      record: z.boolean().default(false).describe('whether the bot records its run'),
      flushMs: countScalar(10, 60_000)
        .default(1_000)
        .describe('milliseconds of the tape that a killed process may lose'),
      segmentMiB: countScalar(1, 4_096).default(64).describe('size of one file of the tape'),
      bufferMiB: countScalar(1, 4_096)
        .default(64)
        .describe('text that may wait for the disk; more is left out, and the tape marks the gap'),
      pollMs: boundedMsScalar(100, DAY_MS)
        .default(5_000)
        .describe('time between reads of each book and event by `oddsmith record`'),
    })
    .prefault({})
    .describe('recording of runs and of public channels'),
  http: z
    .strictObject({
      host: hostScalar.default('127.0.0.1').describe('address to listen on; loopback: this machine alone'),
      port: portScalar
        .nullable()
        .default(null)
        .describe(
          'a stated port must be free, or the bot does not start; null: 9464, or a free one if it is busy',
        ),
      token: z
        .string()
        .min(16, 'expected at least 16 characters')
        .nullable()
        .default(null)
        .describe(
          'token for actions, reads from elsewhere, POST /kill, /resume and /fair-values; must be ${NAME}; null: none of these',
        ),
    })
    .prefault({})
    .describe('metrics, health, readiness, the local API and commands'),
  guard: guardSchema.describe('the second process that withdraws the quotes of a silent bot'),
  alerts: alertsSchema.describe('who is told when something happens'),
  canary: canarySchema.describe(
    'new parameters of an instance, tried on paper beside the present ones; null: none',
  ),
  reload: z
    .strictObject({
      onSave: z
        .boolean()
        .default(true)
        .describe(
          'a saved file is taken over at once: all of it, or nothing; false: only by oddsmith reload or SIGHUP',
        ),
      selectEveryMs: boundedMsScalar(1_000, DAY_MS)
        .nullable()
        .default(300_000)
        .describe(
          'time from one look at what the venue offers to the next, where the file selects markets; null: only at the start and at a reload',
        ),
    })
    .prefault({})
    .describe('taking over the changed file while the bot runs'),
  log: z
    .strictObject({
      level: z
        .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('lowest level of log lines'),
      file: pathScalar
        .nullable()
        .default(null)
        .describe(
          'file for the log, relative to the working directory; null: standard error, or a file below stateDir while a screen is shown',
        ),
      maxMiB: countScalar(1, 4_096).default(64).describe('size of a log file; a full one gets a number'),
      keep: countScalar(0, 1_000).default(5).describe('full log files that are kept'),
    })
    .prefault({})
    .describe('log lines, on standard error, or in a file while a screen is shown'),
  exchange: exchangeSchema
    .nullable()
    .default(null)
    .describe('the bundled exchange, started when there is no venue'),
  paper: paperSchema.describe('paper trading: oddsmith paper, or mode: paper'),
  backtest: backtestSchema.nullable().default(null).describe('recordings to trade on: oddsmith backtest'),
  sweep: sweepSchema.nullable().default(null).describe('parameters to try on the recordings: oddsmith sweep'),
});

/** As a file states it. */
export type FileSettings = z.output<typeof botSchema>;

export type EventSettings = Omit<FileSettings['events'][number], 'markets'> & {
  readonly markets: readonly z.output<typeof marketSchema>[];
  /** Its markets are those that the venue names. */
  readonly isWhole: boolean;
};

export type InstanceSettings = Omit<FileSettings['instances'][number], 'markets'> & {
  /** All that it quotes. */
  readonly markets: readonly MarketId[];
  /** Those of the file. */
  readonly named: readonly MarketId[] | null;
};

/** With the markets of each instance; see `selection.ts`. */
export type BotSettings = Omit<FileSettings, 'events' | 'instances'> & {
  readonly events: readonly EventSettings[];
  readonly instances: readonly InstanceSettings[];
  /** Left to one shard by `ofShard`. */
  readonly isShard?: true;
};

/** JSON Schema of a configuration file, for editors; of the input side, so decimals may be text or numbers. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'Oddsmith configuration',
    ...z.toJSONSchema(botSchema, { io: 'input', unrepresentable: 'any' }),
  };
}
