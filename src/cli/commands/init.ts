/** `oddsmith init`: from nothing to a file that a paper bot runs. */
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { CURRENCIES, type Currency, modeOf } from '../../domain/vocabulary.js';
import { venueRulesOf } from '../../runs/backtest/backtest-setup.js';
import { firstFile, FUTUUR_FILE, venueSectionOf } from '../../runs/first-file.js';
import { openPublicRest } from '../../runs/live/connections.js';
import { engineOptionsOf } from '../../runs/live/engine-options.js';
import { type OfferedEvent, offeredMarkets } from '../../runs/offered-markets.js';
import { bundledStrategies } from '../../runs/strategies/strategies.js';
import { type BotSettings, checkBotSettings, SettingsSource } from '../../settings/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { print } from '../output.js';
import { offerLines } from './markets.js';

export interface InitArguments {
  readonly venue?: string;
  readonly currency?: string;
  readonly search?: string;
  readonly markets?: readonly string[];
  readonly strategy?: string;
  readonly budget?: number;
  readonly yes: boolean;
}

const SHOWN = 20;
/** Markets that are taken where nobody names any. */
const TAKEN = 3;
const DEFAULTS = { currency: 'OOM', strategy: 'inventory-skew', budget: 100 } as const;

/** Asks for what no option says; with `--yes` nothing is asked. @throws UsageError, VenueUnreachableError */
export async function initFile(file: string, given: InitArguments): Promise<ExitCode> {
  if (existsSync(file))
    throw new UsageError(`${file} is there already; name another file: oddsmith init <file>`);
  const venue = venueSectionOf(given.venue ?? FUTUUR_FILE);
  const answers = given.yes ? null : new Questions();
  try {
    const ask = (question: string, option: string | undefined, usual: string): Promise<string> =>
      option !== undefined || answers === null
        ? Promise.resolve(option ?? usual)
        : answers.ask(`${question} [${usual}]`, usual);
    const currency = currencyOf(
      await ask(`currency (${CURRENCIES.join(', ')})`, given.currency, DEFAULTS.currency),
    );
    const events = await chosenMarkets(venue, currency, given, answers);
    const names = bundledStrategies().join(', ');
    const strategy = await ask(`strategy (${names})`, given.strategy, DEFAULTS.strategy);
    const most = await ask(
      `what may be lost, in ${currency}`,
      given.budget?.toString(),
      `${DEFAULTS.budget}`,
    );
    const budget = Number(most);
    if (!(budget > 0)) throw new UsageError(`${most} is no amount; expected a number above 0`);
    const text = await firstFile({ currency, events, strategy, budget, venue, file });
    await check(text, file);
    writeFileSync(file, text, { flag: 'wx' });
  } finally {
    answers?.close();
  }
  print(`wrote ${file}; try it without keys and money:`, `  npx oddsmith paper ${file}`);
  print('to trade at the venue, set mode: live and the variables of its keys; see docs/guides/paper.md');
  return EXIT.clean;
}

function currencyOf(text: string): Currency {
  const found = CURRENCIES.find((one) => one === text.toUpperCase());
  if (found === undefined) throw new UsageError(`${text} is no currency; expected ${CURRENCIES.join(', ')}`);
  return found;
}

/** The file says what `config check` accepts, or it is not written. */
async function check(text: string, file: string): Promise<void> {
  const { settings, source } = checkBotSettings(SettingsSource.parse(text, file, process.env));
  const venue = venueRulesOf(settings);
  await engineOptionsOf({ settings, source, venue, random: seededRandom(1), runId: 'init' });
}

/** The markets that are named, or chosen from what the venue offers. */
async function chosenMarkets(
  venue: Readonly<Record<string, unknown>>,
  currency: Currency,
  { search = '', markets }: InitArguments,
  answers: Questions | null,
): Promise<readonly OfferedEvent[]> {
  const address = addressOf(venue);
  const { baseUrl } = address;
  const clock = new SystemClock();
  const rest = openPublicRest(address, clock);
  const offered = async (words: string, ids?: readonly string[]): Promise<readonly OfferedEvent[]> => {
    const named = ids === undefined ? { limit: SHOWN } : { limit: ids.length, ids };
    const filter = { ...ANY, search: words === '' ? null : words, ...named };
    const { events } = await offeredMarkets(rest, modeOf(currency), filter, clock.now());
    if (events.length === 0 && ids === undefined)
      throw new UsageError(`no open market at ${baseUrl}${words === '' ? '' : ` fits ${words}`}`);
    return events;
  };
  try {
    if (markets !== undefined) return only(await offered(search, markets), markets);
    let events = await offered(search);
    if (answers === null) return only(events, idsIn(events).slice(0, TAKEN));
    for (;;) {
      print(...offerLines(events, currency));
      const usual = idsIn(events).slice(0, TAKEN).join(' ');
      const answer = await answers.ask(`markets to quote by id, or words to search for [${usual}]`, usual);
      const named = answer.split(/[\s,]+/);
      if (named.every((one) => idsIn(events).includes(one))) return only(events, named);
      events = await offered(answer);
    }
  } finally {
    await rest.close();
  }
}

const ANY = {
  categories: [],
  closesAfter: null,
  closesBefore: null,
  minVolume: null,
  maxSpread: null,
} as const;

const idsIn = (events: readonly OfferedEvent[]): readonly string[] =>
  events.flatMap(({ markets }) => markets.map(({ marketId }) => marketId));

/** @throws UsageError for a market that is not offered */
function only(events: readonly OfferedEvent[], ids: readonly string[]): readonly OfferedEvent[] {
  const missing = ids.filter((id) => !idsIn(events).includes(id));
  if (missing.length > 0)
    throw new UsageError(`${missing.join(', ')}: no open market of the venue; oddsmith markets lists them`);
  return events
    .map((event) => ({ ...event, markets: event.markets.filter(({ marketId }) => ids.includes(marketId)) }))
    .filter(({ markets }) => markets.length > 0);
}

/** Of a section as it stands in a file. @throws UsageError for one without an address */
function addressOf({
  baseUrl,
  requestTimeoutMs,
}: Readonly<Record<string, unknown>>): Pick<
  NonNullable<BotSettings['venue']>,
  'baseUrl' | 'requestTimeoutMs'
> {
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))
    throw new UsageError('the section venue of the file states no baseUrl that could be asked');
  return { baseUrl, requestTimeoutMs: typeof requestTimeoutMs === 'number' ? requestTimeoutMs : 5_000 };
}

/** A person at a terminal, or lines of a pipe. */
class Questions {
  readonly #lines = createInterface({ input: process.stdin, output: process.stdout });
  readonly #answers = this.#lines[Symbol.asyncIterator]();

  /** An empty line is the usual answer. @throws UsageError when nobody answers any more */
  async ask(question: string, usual: string): Promise<string> {
    process.stdout.write(`${question}: `);
    const { value, done } = await this.#answers.next();
    if (done === true)
      throw new UsageError('nobody answers any more; nothing was written. --yes asks nothing');
    const text = value.trim();
    return text === '' ? usual : text;
  }

  close(): void {
    this.#lines.close();
  }
}
