import { venueRulesOf } from '../../runs/backtest/backtest-setup.js';
import { engineOptionsOf } from '../../runs/live/engine-options.js';
import { strategyProblems } from '../../runs/strategies/instances.js';
import { checkSweep } from '../../runs/sweep/plan.js';
import { limitRemarks } from '../../runs/live/limit-remarks.js';
import { requestNeedsOf, slowRemarks } from '../../runs/live/setting-checks.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { eventId, marketId } from '../../domain/ids.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import {
  type BotSettings,
  configurationJsonSchema,
  eachShard,
  expanded,
  isExchangeFile,
  type Loaded,
  loadExchangeSettings,
  loadKeylessSettings,
  NOTHING_CHOSEN,
  ofShard,
  paperScenarioOf,
  SettingsError,
  SettingsSource,
  venueOfShard,
  wholeAccount,
} from '../../settings/index.js';
import { requireStateDir } from '../context.js';
import { print, printJson } from '../output.js';

/** `oddsmith config check <file>`: every problem as file:line:column, or what the file would run. */
export async function checkConfiguration(file: string): Promise<ExitCode> {
  if (isExchangeFile(file, process.env)) {
    const { settings } = loadExchangeSettings(file, process.env);
    print(`${file}: valid; an exchange with ${settings.events.length} events`);
    return EXIT.clean;
  }
  const { settings: stated, source } = await loadedOrAllProblems(file);
  const most = withMostMarkets(stated);
  const settings = fullestShard(most);
  requireStateDir({ settings, source });
  await checkSweep({ file, environment: process.env, overrides: [] });
  const venue = venueOfShard(venueRulesOf(settings), settings);
  const random = seededRandom(settings.seed);
  const options = await engineOptionsOf({ settings, source, venue, random, runId: 'check' });
  const names = options.instances.map(
    ({ instance, markets }) => `${instance.name} (${instance.strategy.name}, ${markets.length} markets)`,
  );
  const refused = limitRemarks(options, source);
  const verdict = refused.length === 0 ? 'valid' : 'valid, but limits refuse what is quoted';
  const paper = settings.mode === 'paper' ? 'PAPER, ' : '';
  print(`${file}: ${verdict}; ${paper}${settings.currencyMode} ${settings.currency}; ${names.join(', ')}`);
  const isRunnable = settings.venue !== null || settings.exchange !== null;
  const arithmetic = isRunnable
    ? [...slowRemarks(options, settings, source), ...requestNeedsOf(options, settings).lines]
    : [NOT_RUNNABLE];
  const remarks = [
    ...refused,
    ...arithmetic,
    ...selectionLines(stated),
    ...shardLines(most, settings),
    ...fairLines(settings),
    ...startLines(stated),
    ...unsetKeyLines(source, settings),
  ];
  print(...remarks.map((line) => `  ${line}`));
  return EXIT.clean;
}

/** @throws SettingsError with what strategies do not accept, too, where the file has something else wrong. */
async function loadedOrAllProblems(file: string): Promise<Loaded<BotSettings>> {
  try {
    return loadKeylessSettings(file, process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const further = await strategyProblems(SettingsSource.read(file, process.env, [], 'no keys'));
    const problems = [...error.problems, ...further];
    throw new SettingsError(
      file,
      problems.toSorted((one, other) => one.line - other.line || one.column - other.column),
    );
  }
}

/** As many markets as an instance may select, so that the arithmetic is that of the most. */
const withMostMarkets = (settings: BotSettings): BotSettings =>
  expanded(settings, {
    ...NOTHING_CHOSEN,
    selected: Object.fromEntries(
      settings.instances.flatMap(({ name, select }) =>
        select === null
          ? []
          : [
              [
                name,
                Array.from({ length: select.max }, (_, at) => ({
                  eventId: eventId(`${name}-${at}`),
                  marketId: marketId(`${name}-${at}`),
                })),
              ],
            ],
      ),
    ),
  });

const marketsIn = ({ instances }: BotSettings): number =>
  instances.reduce((sum, { markets }) => sum + markets.length, 0);

/** The shard with the most markets, so that the arithmetic is that of the most. */
const fullestShard = (settings: BotSettings): BotSettings =>
  eachShard(settings)
    .map(ofShard)
    .reduce((fullest, one) => (marketsIn(one) > marketsIn(fullest) ? one : fullest));

function shardLines(whole: BotSettings, { sharding: reckoned }: BotSettings): readonly string[] {
  const { sharding } = whole;
  if (sharding === null) return [];
  const { of, lease } = sharding;
  const counts = eachShard(wholeAccount(whole)).map((one) => marketsIn(ofShard(one)));
  return [
    `sharding: ${of} processes quote ${counts.join(', ')} markets; reckoned here for shard ${reckoned!.shard}, with its share of ` +
      'requests, cash and limits',
    ...(lease === null
      ? []
      : [
          `lease: a shard is taken over ${lease.leaseMs / 1_000} s after its process was lost; one that cannot renew has ` +
            `${lease.withdrawMs / 1_000} s to withdraw`,
        ]),
  ];
}

/** What is not known before the venue is asked. */
const selectionLines = ({ events, instances }: BotSettings): readonly string[] => [
  ...instances.flatMap(({ name, select }) =>
    select === null
      ? []
      : [
          `markets: instance ${name} selects up to ${select.max} at the venue when a run begins; reckoned here with all of them`,
        ],
  ),
  ...events.flatMap(({ id, isWhole }) =>
    isWhole
      ? [`markets: all of event ${id}, told by the venue when a run begins; reckoned here without them`]
      : [],
  ),
];

const fairLines = ({ fairValues }: BotSettings): readonly string[] =>
  fairValues.map(({ name, kind, markets, maxAgeMs, whenStale }) => {
    const stale = whenStale === 'halt' ? 'halts the market' : 'is unknown to the strategy';
    const ids = markets.map(({ id }) => id).join(', ');
    return `fair values: ${name} (${kind}) for ${ids}; older than ${maxAgeMs} ms ${stale}`;
  });

/** At an account that a person trades with, too, this is what costs them their orders. */
function startLines(settings: BotSettings): readonly string[] {
  const { mode, paper, venue, startOrders, events } = settings;
  if (mode === 'paper')
    return [
      `paper: orders go to a simulated venue, account ${paper.account}, ${paperScenarioOf(settings)} fills; nothing is sent to ` +
        `${venue?.baseUrl ?? 'the venue'}. mode: live trades there`,
    ];
  const ours = events.flatMap(({ markets }) => markets.filter(({ ownership }) => ownership === 'exclusive'));
  if (venue === null || ours.length === 0) return [];
  const what = startOrders === 'cancel' ? 'cancels' : 'takes over';
  return [
    `start: ${what} every open order of the account, orders placed by hand included, in ${someOf(ours.map(({ id }) => id))}; ` +
      'ownership: shared leaves orders of others alone',
  ];
}

const NAMED = 10;

const someOf = (ids: readonly string[]): string =>
  ids.length <= NAMED
    ? ids.join(', ')
    : `${ids.slice(0, NAMED).join(', ')} and ${ids.length - NAMED} more markets`;

/** No mistake of the file: it is checked where the keys are not. */
const unsetKeyLines = ({ unsetKeys }: SettingsSource, { mode }: BotSettings): readonly string[] =>
  (mode === 'paper' ? [] : unsetKeys).map(
    ({ path, at }) =>
      `${path}: the environment variable ${at.name} is not set; what goes to the account needs it (run, kill, guard)`,
  );

const NOT_RUNNABLE = 'for backtest and sweep alone: it has neither venue nor exchange';

/** `oddsmith config schema`: JSON Schema, for editors. */
export function printSchema(): ExitCode {
  printJson(configurationJsonSchema(), 2);
  return EXIT.clean;
}
