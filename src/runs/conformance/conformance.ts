/** Tries the assumptions at a venue, keeps what was found, and says what it means for real money. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.js';
import { UsageError } from '../../domain/errors.js';
import { marketId } from '../../domain/ids.js';
import { MONEY_ONE, PRICE_ONE } from '../../domain/units.js';
import { accountPaths, knownAccount, type StatePaths } from '../../ops/state/account-folder.js';
import { textOf } from '../../ops/state/risk-file.js';
import { type BotSettings, type VenueSettings, wholeAccount } from '../../settings/index.js';
import { replaceFile } from '../../storage/files/whole-files.js';
import { openPublicRest } from '../live/connections.js';
import { told } from '../offered-markets.js';
import { ASSUMPTIONS, type Assumption } from './assumptions.js';
import { type Found, type Trial, Probing } from './probes.js';

const RESULT = z.object({
  number: z.int(),
  verdict: z.enum(['verified', 'differs', 'untested']),
  text: z.string(),
});
const KEPT = z.object({ at: z.string(), market: z.string(), results: z.array(RESULT) });
export type Conformance = z.infer<typeof KEPT>;
export type ConformanceResult = Conformance['results'][number];

const pathIn = ({ folder }: Pick<StatePaths, 'folder'>): string => join(folder, 'conformance.json');

/** What was found last; null: nothing, or it cannot be read. */
function keptConformance(paths: Pick<StatePaths, 'folder'>): Conformance | null {
  try {
    const text = textOf(pathIn(paths));
    return text === null ? null : KEPT.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @throws an error of the file system */
export const keepConformance = (paths: Pick<StatePaths, 'folder'>, found: Conformance): void =>
  replaceFile(pathIn(paths), JSON.stringify(found));

/** Where the least orders go. @throws UsageError for a market that is not open; VenueUnreachableError */
export async function trialOf(
  {
    settings,
    venue,
    clock,
  }: { readonly settings: BotSettings; readonly venue: VenueSettings; readonly clock: Clock },
  market: string,
): Promise<Trial> {
  const rest = openPublicRest(venue, clock);
  try {
    const configured = settings.events.find(({ markets }) => markets.some(({ id }) => id === market));
    if (configured === undefined)
      throw new UsageError(
        `market ${market} is not among the markets of the file; add it under events to try orders there`,
      );
    const event = told(await rest.event(configured.id, () => TICK_UNITS), `event ${configured.id}`);
    const found = event.markets.find(({ id }) => id === market);
    if (event.status !== 'open' || found?.status !== 'active')
      throw new UsageError(`market ${market} is not open; name an open one`);
    const named = configured.markets.find(({ id }) => id === market)!.tickSize;
    const tickUnits = named === 'auto' ? TICK_UNITS : named;
    const least = venue.minAmount / MONEY_ONE / (tickUnits / PRICE_ONE);
    return {
      venue,
      clock,
      eventId: configured.id,
      marketId: marketId(market),
      tickUnits,
      shares: Math.max(1, Math.ceil(least)),
    };
  } finally {
    await rest.close();
  }
}

const TICK_UNITS = 100;

/** What came of a trial. */
export interface Tried {
  readonly results: readonly ConformanceResult[];
  /** Whether nothing that it placed is left. */
  readonly isClear: boolean;
}

/**
 * Tries one after the other and cancels what was placed.
 * @param tell of each as soon as it is known
 * @param stop once it is aborted nothing more is tried
 * @throws VenueUnreachableError, UsageError before anything is placed
 */
export async function tryAssumptions(
  trial: Trial,
  tell: (assumption: Assumption, found: Found) => void,
  stop?: AbortSignal,
): Promise<Tried> {
  const results: ConformanceResult[] = [];
  const probing = await Probing.start(trial);
  for (const assumption of ASSUMPTIONS) {
    if (stop?.aborted === true) break;
    const found = await tried(probing, assumption);
    tell(assumption, found);
    results.push({ number: assumption.number, ...found });
  }
  return { results, isClear: await probing.clear() };
}

async function tried(probing: Probing, { probe }: Assumption): Promise<Found> {
  if (probe === null) return { verdict: 'untested', text: "not to be tried with an order of one's own" };
  const found = await probing
    .try(probe)
    .catch((error: unknown): Found => ({ verdict: 'untested', text: (error as Error).message }));
  if (await probing.clear()) return found;
  return {
    verdict: found.verdict === 'differs' ? 'differs' : 'untested',
    text: `${found.text}; an order may remain, look at the market`,
  };
}

/** What real money has to know: refusals and warnings, in sentences. Play money is what it was tried with. */
function realMoneyConcerns(settings: BotSettings, venue: VenueSettings) {
  const tried = { ...wholeAccount(settings), currencyMode: 'play_money' } as const;
  const kept = keptConformance(accountPaths(tried, venue, knownAccount(tried, venue)));
  const verdicts = new Map(kept?.results.map(({ number, verdict }) => [number, verdict]));
  const safety = ASSUMPTIONS.filter(({ isSafety }) => isSafety);
  const of = (wanted: string): readonly string[] =>
    safety
      .filter(({ number }) => (verdicts.get(number) ?? 'untested') === wanted)
      .map(({ number, sentence }) => `${number}. ${sentence}`);
  return { differing: of('differs'), untested: of('untested') };
}

/** @throws UsageError where the venue was found to differ; warns of what nobody has tried */
export function requireConformance(
  settings: BotSettings,
  venue: VenueSettings,
  warn: (text: string) => void,
): void {
  if (settings.mode === 'paper' || settings.venue === null || settings.currencyMode !== 'real_money') return;
  const { differing, untested } = realMoneyConcerns(settings, venue);
  if (differing.length > 0)
    throw new UsageError(
      `the venue differs from what this program assumes, and real money would be at risk: ${differing.join(' ')} ` +
        'oddsmith conformance <file> says what was found; try again once it is mended',
    );
  if (untested.length > 0)
    warn(
      `${untested.length} assumptions about the venue that protect money are untested; oddsmith conformance <file> --currency OOM --market <id> tries them with play money`,
    );
}
