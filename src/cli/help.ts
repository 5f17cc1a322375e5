/** What `--help` says beyond names and meanings. */
import { type Command, Help, type Option } from 'commander';

const STANDARD = new Help();

/** The meaning of an option, its default where there is something to tell, and whether it can be left out. */
export function optionText(option: Option): string {
  const { defaultValue: value } = option;
  const isNothing = value === false || (Array.isArray(value) && value.length === 0);
  const text = isNothing ? option.description : STANDARD.optionDescription(option);
  return option.mandatory ? `${text} (required)` : text;
}

/** Puts the examples of each command behind its help. */
export function addExamples(command: Command, path: readonly string[] = []): void {
  const lines = EXAMPLES[path.join(' ')] ?? [];
  if (lines.length > 0)
    command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n'));
  for (const one of command.commands) addExamples(one, [...path, one.name()]);
}

/** What people look for under a name that is no command. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  check: 'oddsmith config check <file>',
  create: 'oddsmith new strategy <name>',
  replay: 'oddsmith parity <run> replays a run; oddsmith explain <run> tells how an order came about',
  start: 'oddsmith run <config.yaml>',
  stop: 'Ctrl-C or SIGTERM stops a bot; oddsmith kill <config.yaml> also keeps the next one from quoting',
};

/** An error of the command line with what to do instead, where a command is unknown. */
export function withHint(text: string): string {
  const [, name] = /unknown command '([^']*)'/.exec(text) ?? [];
  if (name === undefined) return text;
  const hint = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : 'oddsmith --help lists the commands';
  return `${text}${hint}\n`;
}

/** What to type, for the help of each command. A word in capitals, or the name of a run, is for a person to replace. */

const RUN = '20261120-144926-3b9473';

/** By the path of the command, each a line that works in a checkout. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  demo: [
    'oddsmith demo --for 20s',
    'oddsmith demo --strategy ./my-strategy.ts --param halfSpread=0.02 shares=15',
    'oddsmith demo --recording config/recordings/synthetic-rain.ndjson.gz --speed 20',
  ],
  init: [
    'oddsmith init',
    'oddsmith init my-bot.yaml --venue config/local.yaml --markets 2231 2232 --budget 50 --yes',
  ],
  run: [
    'oddsmith run config/demo.yaml --for 1m',
    'ODDSMITH_PRIVATE_KEY=sk_maker oddsmith run config/local.yaml',
    'oddsmith run my-fleet.yaml --shard 2',
    'oddsmith run play.yaml real.yaml --real-money',
  ],
  paper: ['oddsmith paper config/futuur-play-money.yaml --for 10m', 'oddsmith paper config/local.yaml'],
  markets: [
    'oddsmith markets config/futuur-play-money.yaml --closes-after +24h --max-spread 0.1',
    'oddsmith markets --edge config/recordings --distances 3',
  ],
  backtest: [
    'oddsmith backtest config/backtest.yaml --set instances.rain.params.halfSpread=0.03',
    'oddsmith backtest config/backtest.yaml --each config/recordings',
  ],
  sweep: [
    'oddsmith sweep config/sweep.yaml --threads 2',
    'oddsmith sweep config/sweep.yaml --screen --confirm 10',
    'oddsmith sweep config/sweep.yaml --set sweep.method=random --redis redis://127.0.0.1:6379',
  ],
  'sweep worker': ['oddsmith sweep worker --redis redis://127.0.0.1:6379 --threads 2 --stalled-after 2m'],
  'runs list': ['oddsmith runs list --last 10', 'oddsmith runs list sw-0123456789abcdef --json'],
  'runs compare': [
    'oddsmith runs compare bt-9e698b9f4dcb69e0 bt-4c1f0d7a52b86e93',
    'oddsmith runs compare sw-0123456789abcdef/3 sw-0123456789abcdef/7',
  ],
  'runs query': [
    "oddsmith runs query 'SELECT run, profit, fills FROM runs WHERE headline = 1 ORDER BY profit DESC LIMIT 10'",
  ],
  exchange: ['oddsmith exchange config/exchange.yaml --port 0', 'oddsmith exchange config/demo.yaml'],
  guard: ['ODDSMITH_PRIVATE_KEY=sk_maker oddsmith guard config/local.yaml'],
  'guard clear': ['ODDSMITH_PRIVATE_KEY=sk_maker oddsmith guard clear config/local.yaml'],
  kill: [
    'ODDSMITH_PRIVATE_KEY=sk_maker oddsmith kill config/local.yaml --for 30s',
    'ODDSMITH_PRIVATE_KEY=sk_maker oddsmith kill config/local.yaml --all --every-order-of-the-account',
  ],
  resume: ['ODDSMITH_PRIVATE_KEY=sk_maker oddsmith resume config/local.yaml'],
  reload: ['ODDSMITH_PRIVATE_KEY=sk_maker oddsmith reload config/local.yaml --dry-run'],
  status: ['oddsmith status config/demo.yaml --watch', 'oddsmith status config/demo.yaml --markets'],
  positions: ['oddsmith positions config/demo.yaml'],
  orders: ['oddsmith orders config/demo.yaml --json'],
  fills: ['oddsmith fills config/demo.yaml --watch'],
  pause: [
    'oddsmith pause config/demo.yaml --market 1001 --for 10m',
    'oddsmith pause config/demo.yaml --market 1001 --end',
  ],
  cancel: ['oddsmith cancel config/demo.yaml --event 100'],
  logs: ['oddsmith logs config/demo.yaml -f'],
  'canary run': ['oddsmith canary run my-bot.yaml', 'oddsmith canary run my-bot.yaml --for 30m'],
  'canary promote': ['oddsmith canary promote my-bot.yaml'],
  'canary rollback': ['oddsmith canary rollback my-bot.yaml'],
  report: [
    `oddsmith report ${RUN}`,
    'oddsmith report bt-9e698b9f4dcb69e0 --against bt-4c1f0d7a52b86e93 --tried 12',
  ],
  doctor: [
    'oddsmith doctor config/futuur-play-money.yaml --paper',
    'ODDSMITH_PRIVATE_KEY=sk_maker oddsmith doctor config/local.yaml',
  ],
  conformance: [
    'ODDSMITH_PRIVATE_KEY=sk_maker oddsmith conformance config/local.yaml --currency OOM --market 2231',
  ],
  history: [
    'oddsmith history config/demo.yaml --by instance',
    'oddsmith history config/local.yaml --from 2026-11-01 --out fills.parquet',
  ],
  clean: [
    'oddsmith clean config/demo.yaml --older-than 30d',
    'oddsmith clean config/demo.yaml --older-than 30d --yes',
  ],
  calibrate: ['oddsmith calibrate config/recordings/synthetic-rain.ndjson.gz --distances 8'],
  explain: [`oddsmith explain ${RUN}`, `oddsmith explain ${RUN} 12.0`],
  record: [
    'oddsmith record config/futuur-play-money.yaml --for 2h',
    'oddsmith record config/demo.yaml --for 1m --out demo-tape',
  ],
  parity: [`oddsmith parity ${RUN}`],
  'validate avellaneda-stoikov': ['oddsmith validate avellaneda-stoikov --gamma 0.1 --paths 10000'],
  'validate glft': ['oddsmith validate glft --sigma 0.3 --A 0.9 --k 0.3 --gamma 0.01 --Q 3 --T 600'],
  'validate lmsr': ['oddsmith validate lmsr .5 .3 .2 --b 100 --buy 40.546511'],
  'validate coherence': ['oddsmith validate coherence .52 .33 .21 --winners 1'],
  'validate exposure': ['oddsmith validate exposure --portfolio portfolio.json'],
  'validate queue': ['oddsmith validate queue 140 110 t20 80 50 t30 15'],
  'validate modifiers': ['oddsmith validate modifiers --contexts 1000'],
  'validate informed-takers': ['oddsmith validate informed-takers --m 0,0.1,0.3 --paths 600'],
  'validate calibration': [
    'oddsmith validate calibration --distances .01,.02,.03 --fills 412,233,138 --seconds 3600',
  ],
  shadow: [`oddsmith shadow ${RUN}`],
  'recording import': [
    "oddsmith recording import 'raw/*.bz2' --out recordings --levels 5",
    'oddsmith recording import raw --from kalshi --out recordings --resolution KXGOLD-26AUG10-T4100=yes',
  ],
  'recording export': [
    'oddsmith recording export config/recordings/synthetic-rain.ndjson.gz --to hftbacktest --out npz --latency 25ms',
  ],
  'recording inspect': ['oddsmith recording inspect raw --json'],
  'tape info': [`oddsmith tape info ${RUN}`],
  'tape verify': [`oddsmith tape verify ${RUN}`],
  'tape cut': [`oddsmith tape cut ${RUN} --out first-minute --to +1m --market 1001`],
  'tape merge': ['oddsmith tape merge monday tuesday --out both-days'],
  'tape import': ['oddsmith tape import config/recordings/synthetic-rain.ndjson.gz --out rain'],
  'tape values': [`oddsmith tape values ${RUN} > values.ndjson`],
  'tape export': [`oddsmith tape export ${RUN} --out tables`],
  completion: ['oddsmith completion bash > oddsmith.bash', 'oddsmith completion fish > oddsmith.fish'],
  'alert test': ['oddsmith alert test my-bot.yaml', 'oddsmith alert test my-bot.yaml --receiver phone'],
  'state show': ['oddsmith state show config/demo.yaml --json'],
  'state reset': ['oddsmith state reset config/demo.yaml --market 1001'],
  'new strategy': ['oddsmith new strategy my-strategy', 'oddsmith new strategy my-strategy --dir mine'],
  'config check': ['oddsmith config check config/demo.yaml'],
  'config schema': ['oddsmith config schema > oddsmith.schema.json'],
};
