/** Commands that look at a running bot from another terminal, over its local API, and tell it what to do. */
import { existsSync, statSync } from 'node:fs';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import type {
  Action,
  FillsJson,
  MarketRowJson,
  NoticeJson,
  OrderJson,
  PositionJson,
  StatusJson,
} from '../../ops/http/contract.js';
import { type StatePaths, statePlaces } from '../../ops/state/account-folder.js';
import { onlyBot, type RunningBot, runningBots, userName } from '../../ops/state/running-bot.js';
import { type BotSettings, loadKeylessSettings } from '../../settings/index.js';
import { afterDelay } from '../../storage/clocks/system-clock.js';
import { parseHeartbeat, readHeartbeatText } from '../../storage/state/heartbeat-file.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson } from '../output.js';
import { durationText, timeText } from '../screen/format.js';
import { fittingTable, type TableColumn } from '../screen/fitting-table.js';
import { cut, widthOf } from '../screen/text.js';

export interface LookArguments {
  readonly paper: boolean;
  readonly shard?: number;
  readonly json: boolean;
  readonly watch: boolean;
}

export const WATCH_EVERY_MS = 2_000;

interface Found {
  readonly settings: BotSettings;
  readonly bot: RunningBot;
}

/** The running bot of a file. @throws UsageError where none runs, with what its state folder knows of the last one */
export function find(file: string, given: Pick<LookArguments, 'paper' | 'shard'>): Found {
  const { settings } = loadKeylessSettings(file, process.env, paperOverrides(given));
  const places = statePlaces(settings);
  const bots = runningBots(places);
  if (bots.length > 0) return { settings, bot: onlyBot(bots, file) };
  const known = places.flatMap(lastOf);
  throw new UsageError(`no bot of ${file} runs here${known.length === 0 ? '' : `; ${known.join('; ')}`}`);
}

/** What the folder of an account says of its last run. */
function lastOf({ heartbeat, kill, fence, folder }: StatePaths): readonly string[] {
  const beat = parseHeartbeat(readHeartbeatText(heartbeat) ?? '');
  if (beat === null) return [];
  const seen = statSync(heartbeat).mtime.toISOString().slice(0, 19);
  const end = beat.ended === null ? 'was killed or cut off' : `ended ${beat.ended}`;
  return [
    `run ${beat.runId} ${end} at ${seen}Z`,
    ...(existsSync(kill) ? ['its kill switch is latched'] : []),
    ...(existsSync(fence) ? ['a fence stands'] : []),
    `its state is in ${folder}`,
  ];
}

/** What the API answers, by path. */
interface Answers {
  readonly status: StatusJson;
  readonly markets: readonly MarketRowJson[];
  readonly positions: readonly PositionJson[];
  readonly orders: readonly OrderJson[];
  readonly fills: FillsJson;
}

export async function ask<Path extends keyof Answers>(
  { running }: RunningBot,
  path: Path,
): Promise<Answers[Path]> {
  const { url, secret } = running;
  const response = await reached(url, fetch(`${url}/api/${path}`, { headers: headersWith(secret) }));
  if (!response.ok) throw new UsageError(`${url}/api/${path} answered ${response.status}`);
  return (await response.json()) as Answers[Path];
}

const headersWith = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });

async function reached(url: string, asking: Promise<Response>): Promise<Response> {
  try {
    return await asking;
  } catch (cause) {
    throw new UsageError(`the bot does not answer at ${url}: it may be ending, its log says what it does`, {
      cause,
    });
  }
}

/** Shows something once, or every two seconds until a signal. */
async function look<Path extends keyof Answers>(
  file: string,
  given: LookArguments,
  path: Path,
  lines: (answer: Answers[Path]) => readonly string[],
): Promise<ExitCode> {
  const { bot } = find(file, given);
  for (;;) {
    const answer = await ask(bot, path);
    if (given.json) printJson(answer);
    else if (given.watch && process.stdout.isTTY) showAnew(process.stdout, lines(answer));
    else print(...lines(answer));
    if (!given.watch) return EXIT.clean;
    await new Promise<void>((resolve) => void afterDelay(WATCH_EVERY_MS, resolve));
  }
}

const CLEAR = '\u001B[H\u001B[2J';

/** Takes the place of what stood in the terminal before: no more than it has room for, so that the first lines stay in sight. */
export function showAnew(
  terminal: Pick<NodeJS.WriteStream, 'rows' | 'columns' | 'write'>,
  lines: readonly string[],
): void {
  const { rows, columns } = terminal;
  const room = Math.max(1, rows - 1);
  const shown = lines.length <= room ? lines : lines.slice(0, room - 1);
  const left = lines.length - shown.length;
  const all = left === 0 ? shown : [...shown, `and ${left} more: --json, or without --watch`];
  terminal.write(`${CLEAR}${all.map((line) => `${cut(line, columns)}\n`).join('')}`);
}

/** Columns as wide as their cells, as many as the terminal has room for. */
function table(
  columns: readonly (readonly [string, 'left' | 'right'])[],
  rows: readonly string[][],
): string[] {
  const shaped = columns.map(([title, align], at): TableColumn => {
    const width = Math.max(0, ...rows.map((cells) => widthOf(cells[at] ?? '')));
    const isLast = at === columns.length - 1;
    return { title, align, width, rank: at, ...(isLast && align === 'left' && { least: 12 }) };
  });
  const { head, row } = fittingTable(shaped, process.stdout.isTTY ? process.stdout.columns : Infinity);
  return [head, ...rows.map(row)];
}

const priced = (price: number | null): string =>
  price === null ? '-' : price.toFixed(4).replace(/0{1,2}$/, '');
/** Nothing is `-0.00`. */
export const amount = (value: number): string => (Number(value.toFixed(2)) + 0).toFixed(2);
const timed = (ms: number): string => timeText(ms * 1_000);

export const showStatus = (
  file: string,
  given: LookArguments & { readonly markets: boolean },
): Promise<ExitCode> =>
  given.markets ? look(file, given, 'markets', marketLines) : look(file, given, 'status', statusLines);

function statusLines(status: StatusJson): readonly string[] {
  const { counts, balance, currency, requests, profit } = status;
  const ready = status.ready ? 'ready' : `not ready: ${status.reasons.join('; ')}`;
  const worst = status.events.reduce((sum, event) => sum + Math.min(0, event.worst), 0);
  return [
    `${status.mode} ${status.venue} ${status.currencyMode} account ${status.account}, run ${status.runId}, pid ${status.pid}`,
    `${status.phase} for ${durationText(status.uptimeMs)}, ${status.connection.state}, ${ready}`,
    ...(status.killed === null ? [] : [`KILLED: ${status.killed}`]),
    `markets   ${counts.quoted} of ${counts.markets} quoted, ${counts.openOrders} open orders`,
    `profit    ${amount(profit[currency] ?? 0)} ${currency}, ${counts.fills} fills`,
    `balance   ${balance.total === null ? 'unknown' : amount(balance.total)} ${currency}, free ${balance.free === null ? 'unknown' : amount(balance.free)}`,
    `at worst  ${amount(worst)} ${currency} over ${status.events.length} events`,
    `requests  ${requests.leftNow} left now, ${requests.leftToday} today`,
    `orders    ${counts.ordersCreated} created, ${counts.ordersReplaced} replaced, ${counts.ordersCancelled} cancelled, ${counts.refusals} refused`,
    ...status.instances.map(
      ({ name, strategy, markets, fault }) =>
        `instance  ${name}: ${strategy}, ${markets} markets${fault === null ? '' : `, STOPPED: ${fault}`}`,
    ),
    ...status.pauses.map(pauseLine),
    ...(counts.alarms === 0 ? [] : [`alarms    ${counts.alarms} stand`]),
    ...status.notices.slice(0, 5).map((notice) => `notice    ${noticeLine(notice)}`),
  ];
}

const pauseLine = ({ scope, isPaused, until, widenTicks, by }: StatusJson['pauses'][number]): string => {
  const what = isPaused ? 'paused' : `widened by ${widenTicks} ticks`;
  const end = until === null ? '' : ` until ${timed(until)}`;
  return `held      ${scopeText(scope)} ${what}${end} by ${by}`;
};

const scopeText = (scope: Action['scope']): string => {
  const [one] = Object.entries(scope);
  return one === undefined ? 'everything' : one.join(' ');
};

export const noticeLine = ({ at, level, text, marketId }: NoticeJson): string =>
  `${timed(at)} ${level} ${marketId === null ? '' : `market ${marketId}: `}${text}`;

const marketLines = (markets: readonly MarketRowJson[]): readonly string[] =>
  table(
    [
      ['market', 'right'],
      ['instance', 'left'],
      ['bid', 'right'],
      ['ask', 'right'],
      ['our bid', 'right'],
      ['our ask', 'right'],
      ['net', 'right'],
      ['profit', 'right'],
      ['state', 'left'],
      ['title', 'left'],
    ],
    markets.map((market) => {
      const own = (side: 'bid' | 'ask') => market.quotes.filter((quote) => quote.side === side);
      const bids = own('bid').map(({ price }) => price);
      const asks = own('ask').map(({ price }) => price);
      return [
        market.marketId,
        market.instance ?? '-',
        priced(market.bid?.price ?? null),
        priced(market.ask?.price ?? null),
        priced(bids.length === 0 ? null : Math.max(...bids)),
        priced(asks.length === 0 ? null : Math.min(...asks)),
        amount(market.inventory.long - market.inventory.short),
        amount(market.profit),
        market.halted ?? market.refusedBy ?? (market.instance === null ? 'watched' : 'quoted'),
        `${market.eventTitle}: ${market.title}`,
      ];
    }),
  );

export const showPositions = (file: string, given: LookArguments): Promise<ExitCode> =>
  look(file, given, 'positions', (positions) =>
    positions.length === 0
      ? ['no shares are held']
      : table(
          [
            ['market', 'right'],
            ['long', 'right'],
            ['short', 'right'],
            ['net', 'right'],
            ['mid', 'right'],
            ['profit', 'right'],
            ['title', 'left'],
          ],
          positions.map((one) => [
            one.marketId,
            amount(one.long),
            amount(one.short),
            amount(one.net),
            priced(one.mid),
            amount(one.profit),
            `${one.eventTitle}: ${one.title}`,
          ]),
        ),
  );

export const showOrders = (file: string, given: LookArguments): Promise<ExitCode> =>
  look(file, given, 'orders', (orders) =>
    orders.length === 0
      ? ['no order is open']
      : table(
          [
            ['order', 'right'],
            ['market', 'right'],
            ['side', 'left'],
            ['price', 'right'],
            ['shares', 'right'],
            ['filled', 'right'],
            ['since', 'left'],
            ['state', 'left'],
          ],
          orders.map((one) => [
            one.orderId ?? '-',
            one.marketId,
            `${one.side} ${one.position}`,
            priced(one.price),
            amount(one.shares),
            amount(one.filled),
            timed(one.since),
            one.ownership === 'ours' ? one.state : `${one.state}, ${one.ownership}`,
          ]),
        ),
  );

export const showFills = (file: string, given: LookArguments): Promise<ExitCode> =>
  look(file, given, 'fills', ({ fills }) =>
    fills.length === 0
      ? ['nothing was filled lately']
      : table(
          [
            ['time', 'left'],
            ['market', 'right'],
            ['side', 'left'],
            ['price', 'right'],
            ['shares', 'right'],
            ['fee', 'right'],
            ['order', 'right'],
            ['', 'left'],
          ],
          fills
            .toReversed()
            .map((one) => [
              timed(one.at),
              one.marketId,
              `${one.side} ${one.position}`,
              priced(one.price),
              amount(one.shares),
              amount(one.fee),
              one.orderId,
              `${one.liquidity}${one.isInferred ? ', inferred' : ''}`,
            ]),
        ),
  );

export interface ScopeArguments {
  readonly paper: boolean;
  readonly shard?: number;
  readonly json: boolean;
  readonly market?: string;
  readonly event?: string;
  readonly instance?: string;
  readonly all: boolean;
}

export interface PauseArguments extends ScopeArguments {
  readonly for?: number;
  readonly end: boolean;
}

/** `oddsmith pause`: nothing is quoted there, for so long or until the pause is ended. */
export function pauseMarkets(file: string, given: PauseArguments): Promise<ExitCode> {
  if (given.end && given.all)
    throw new UsageError('use oddsmith resume <file> to let everything be quoted again');
  return act(file, given, given.end ? 'resume' : 'pause', given.for ?? null);
}

/** `oddsmith cancel`: cancels what stands there; it is quoted again after ten seconds. */
export const cancelMarkets = (file: string, given: ScopeArguments): Promise<ExitCode> =>
  act(file, given, 'cancel', null);

async function act(
  file: string,
  given: ScopeArguments,
  action: Action['action'],
  forMs: number | null,
): Promise<ExitCode> {
  const { market, event, instance, all } = given;
  const named = Object.entries({ market, event, instance }).filter(([, value]) => value !== undefined);
  if (named.length + (all ? 1 : 0) !== 1)
    throw new UsageError(`${action} needs one of --market, --event, --instance and --all`);
  const { bot } = find(file, given);
  const { url, secret } = bot.running;
  const body = JSON.stringify({ action, scope: Object.fromEntries(named), by: userName(), forMs });
  const headers = { ...headersWith(secret), 'content-type': 'application/json' };
  const response = await reached(url, fetch(`${url}/api/actions`, { method: 'POST', headers, body }));
  const { done, error } = (await response.json()) as { readonly done?: string; readonly error?: string };
  if (done === undefined) throw new UsageError(error ?? `the bot answered ${response.status}`);
  if (given.json) printJson({ done });
  else print(done);
  return EXIT.clean;
}
