/** The schema of a bot's configuration file. Every default is here and nowhere else. */
import { z } from 'zod';
import {
  boundedMsScalar,
  countScalar,
  currencyModeScalar,
  currencyScalar,
  eventScalar,
  marketScalar,
  portScalar,
  tickSizeScalar,
  timeScalar,
  hostScalar,
  pathScalar,
} from './scalars.js';
import { backtestSchema } from './backtest-schema.js';
import { exchangeSchema } from './exchange-schema.js';
import { guardSchema, venueSchema } from './venue-schema.js';
import { limitsSchema, quotingSchema } from './quoting-schema.js';
import { sweepSchema } from './sweep-schema.js';

const DAY_MS = 86_400_000;
/** Where a bot keeps what outlives it, unless its file says otherwise; relative to the working directory. */
export const DEFAULT_STATE_DIR = '.oddsmith';

const marketSchema = z.strictObject({
  id: marketScalar.describe('as the venue numbers it'),
  title: z.string().nullable().default(null).describe('for screens; null: the number'),
  tickSize: tickSizeScalar.prefault('0.01').describe('price grid; the venue does not say it'),
  ownership: z
    .enum(['exclusive', 'shared'])
    .default('exclusive')
    .describe('exclusive: every order of the account here is ours; shared: only ids we were given'),
});

const informationWindowSchema = z
  .strictObject({
    from: timeScalar.describe('when the news may come'),
    to: timeScalar.describe('when it is over'),
  })
  .refine(({ from, to }) => from < to, { message: 'expected a window that begins before it ends' });

const eventSchema = z
  .strictObject({
    id: eventScalar.describe('as the venue numbers it'),
    title: z.string().nullable().default(null).describe('for screens; null: the number'),
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
      .describe('whether one of the markets is sure to resolve long, where they are exclusive'),
    underlying: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'what it is about: events of one day and underlying count once in comparisons; null: the folder of its recording, live the same as all others',
      ),
    informationWindows: z
      .array(informationWindowSchema)
      .default([])
      .describe('times of news; a window is left like a market that closes, and returned to after it'),
    markets: z
      .array(marketSchema)
      .min(1, 'expected at least one market')
      .describe('its outcomes; one that no instance names is observed, never quoted'),
  })
  .superRefine(({ exhaustive, resolutionMode, markets }, context) => {
    if (!exhaustive || (resolutionMode !== 'non_exclusive' && markets.length > 1)) return;
    const message = 'expected false, but for several markets of which exactly one resolves long';
    context.addIssue({ code: 'custom', path: ['exhaustive'], message });
  });

const instanceSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected a kebab-case name')
    .describe('kebab-case; for logs and metrics'),
  strategy: z.string().min(1).describe('name of a bundled strategy or path of a file, from this file'),
  markets: z
    .array(marketScalar)
    .min(1, 'expected at least one market id')
    .describe('ids from events; a market has one instance'),
  params: z.record(z.string(), z.unknown()).default({}).describe('as the strategy declares them'),
  limits: limitsSchema.describe('what risk control allows'),
});

const reconciliationSchema = z
  .strictObject({
    accountEveryMs: boundedMsScalar(1_000, DAY_MS)
      .default(60_000)
      .describe('orders are listed, holdings and balances read this often, whatever frames say'),
    booksEveryMs: boundedMsScalar(1_000, DAY_MS)
      .default(60_000)
      .describe('a book that updates keep alive is compared with a read this often'),
  })
  .prefault({});

export const botSchema = z.strictObject({
  currencyMode: currencyModeScalar
    .default('play_money')
    .describe('real_money needs the flag --real-money as well'),
  currency: currencyScalar.default('OOM').describe('the one currency of the run; OOM is play money'),
  seed: countScalar(0, 0xffff_ffff).default(1).describe('of everything random'),
  venue: venueSchema.nullable().default(null).describe('null: the bundled exchange of this file'),
  events: z.array(eventSchema).min(1, 'expected at least one event').describe('what is watched'),
  instances: z
    .array(instanceSchema)
    .min(1, 'expected at least one strategy instance')
    .describe('strategies with their markets, parameters and limits'),
  quoting: quotingSchema.describe('how quotes are kept up, for all instances'),
  reconciliation: reconciliationSchema.describe('how often what we know is held against the venue'),
  startOrders: z
    .enum(['cancel', 'adopt'])
    .default('cancel')
    .describe('what happens at the start to own orders that still rest'),
  stateDir: pathScalar
    .default(DEFAULT_STATE_DIR)
    .describe(
      'what is kept: journal, locks, latches, logs, runs, tapes, sweeps; relative to the working directory',
    ),
  journal: z
    .strictObject({
      sync: z
        .enum(['group', 'before-send'])
        .default('group')
        .describe(
          'group: a killed process loses nothing, a power loss the last 20 ms; before-send: an outcome right before it alone',
        ),
    })
    .prefault({})
    .describe('every order is written down before it is sent'),
  report: z
    .strictObject({
      write: z.boolean().default(true).describe('at its end, below stateDir in runs/<run id>'),
    })
    .prefault({})
    .describe('what a run came to, as a page, JSON and CSV'),
  tape: z
    .strictObject({
      record: z.boolean().default(false).describe('whether the bot records its run, below stateDir in runs'),
      flushMs: countScalar(10, 60_000)
        .default(1_000)
        .describe('a killed process loses at most the last so many milliseconds of its tape'),
      segmentMiB: countScalar(1, 4_096).default(64).describe('text of one file before the next begins'),
      bufferMiB: countScalar(1, 4_096)
        .default(64)
        .describe('text that may wait for the disk; what is more is left out, and the tape says so'),
      pollMs: boundedMsScalar(100, DAY_MS)
        .default(5_000)
        .describe('how often `oddsmith record` reads each book and event over REST'),
    })
    .prefault({})
    .describe('recording, of a run or of public channels'),
  http: z
    .strictObject({
      host: hostScalar.default('127.0.0.1').describe('loopback unless others are to see it'),
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
          'for POST /kill and /resume, from this machine alone; must be ${NAME}; null: no such commands',
        ),
    })
    .prefault({})
    .describe('metrics, health, readiness and commands'),
  guard: guardSchema.describe('the second process that withdraws the quotes of a silent bot'),
  log: z
    .strictObject({
      level: z
        .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('least severe lines that are written'),
    })
    .prefault({})
    .describe('on standard error, or in a file while a screen is shown'),
  exchange: exchangeSchema
    .nullable()
    .default(null)
    .describe('the bundled exchange, started when there is no venue'),
  backtest: backtestSchema.nullable().default(null).describe('recordings to trade on: oddsmith backtest'),
  sweep: sweepSchema.nullable().default(null).describe('parameters to try on them: oddsmith sweep'),
});

export type BotSettings = z.output<typeof botSchema>;

/** JSON Schema of a configuration file, for editors; of the input side, so decimals may be text or numbers. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'Oddsmith configuration',
    ...z.toJSONSchema(botSchema, { io: 'input', unrepresentable: 'any' }),
  };
}
