/** Turns the demo's settings into the re-enactment of a recording. */
import { basename } from 'node:path';
import { eventId, type MarketId, marketId } from '../../domain/ids.js';
import type { RecordedLine, RecordedStatus } from '../../domain/recorded.js';
import type { Micros } from '../../domain/units.js';
import { reenactedAt } from '../../exchange/participants/index.js';
import type { BotSettings, ExchangeEventSettings, ExchangeSettings } from '../../settings/index.js';
import { readNeutralRecording, RecordingError } from '../../storage/index.js';
import { type MarketNote, notesBeside } from '../backtest/recording-notes.js';

export interface RecordingChoice {
  readonly file: string;
  readonly speed: number;
}

export interface Reenactment {
  readonly settings: BotSettings;
  readonly exchange: ExchangeSettings;
  /** When its last line happens. */
  readonly ends: Micros;
}

const FINEST_TICK = 1;
const COMMON_TICKS = [100, 10] as const;

/**
 * Keeps keys, limits and quoting of the settings; event, markets and participants become those of the recording, and the
 * first instance quotes all of it.
 * @param start when the first line happens
 * @throws RecordingError; UsageError for notes beside it that are no JSON list
 */
export function reenactmentOf(
  settings: BotSettings,
  exchange: ExchangeSettings,
  choice: RecordingChoice,
  start: Micros,
): Reenactment {
  const lines = readNeutralRecording(choice.file);
  const notes = notesBeside(choice.file);
  const event = eventOf(lines, notes, choice, start);
  const at = (time: Micros): Micros => reenactedAt(time, lines[0]!.at, start, choice.speed);
  const [first] = settings.instances;
  const instance = { ...first!, name: 'recording', markets: event.markets.map(({ id }) => marketId(id)) };
  return {
    ends: at(lines.at(-1)!.at),
    exchange: {
      ...exchange,
      events: [event],
      participants: [{ kind: 'recording', file: choice.file, speed: choice.speed, event: event.id }],
    },
    settings: {
      ...settings,
      events: [
        {
          id: eventId(event.id),
          title: event.title,
          resolutionMode: event.resolutionMode,
          exhaustive: false,
          winners: null,
          closes: null,
          category: null,
          underlying: null,
          isWhole: false,
          informationWindows: [],
          markets: event.markets.map(({ id, title, tickSize }) => ({
            id: marketId(id),
            title,
            tickSize,
            ownership: 'exclusive' as const,
          })),
        },
      ],
      instances: [instance],
      // A re-enactment is of the whole recording, play in running included.
      quoting: { ...settings.quoting, preClose: { ...settings.quoting.preClose, whenLive: false } },
    },
  };
}

function eventOf(
  lines: readonly RecordedLine[],
  notes: ReadonlyMap<MarketId, MarketNote>,
  choice: RecordingChoice,
  start: Micros,
): ExchangeEventSettings {
  const ids = [...new Set(lines.map((line) => line.marketId))];
  const exclusive = areExclusive(ids, lines, notes, choice.file);
  const close = lastClose(lines);
  return {
    id: Number(lines[0]!.eventId),
    title: basename(choice.file).replace(/\.ndjson(\.gz)?$/, ''),
    slug: null,
    description: '',
    isBinary: ids.length === 1,
    resolutionMode: exclusive ? 'exclusive' : 'non_exclusive',
    category: { id: 1, name: 'Recordings' },
    betStartDate: null,
    betEndDate: close === null ? null : reenactedAt(close, lines[0]!.at, start, choice.speed),
    eventStartDate: null,
    eventEndDate: null,
    tax: { play_money: null, real_money: null },
    minAmount: 10_000 as ExchangeEventSettings['minAmount'],
    maxAmount: 100_000_000_000 as ExchangeEventSettings['maxAmount'],
    markets: ids.map((id) => ({
      id: Number(id),
      title: notes.get(id)?.title ?? `Market ${id}`,
      tickSize: tickOf(lines, id, notes.get(id)),
      longLabel: 'Yes',
      shortLabel: 'No',
    })),
  };
}

/** The coarsest common grid on which all its prices lie. */
function tickOf(lines: readonly RecordedLine[], market: MarketId, note: MarketNote | undefined): number {
  if (note !== undefined && note.tickUnits !== null) return note.tickUnits;
  const fits = (tick: number) =>
    lines.every(
      (line) =>
        line.marketId !== market ||
        line.kind === 'status' ||
        (line.kind === 'trade'
          ? line.price % tick === 0
          : [...line.bids.prices, ...line.asks.prices].every((price) => price % tick === 0)),
    );
  return COMMON_TICKS.find(fits) ?? FINEST_TICK;
}

const isStatus = (line: RecordedLine): line is RecordedStatus => line.kind === 'status';

/**
 * As the notes say of all its markets; without any, as it came out. The exchange resolves no second market of an exclusive event for long.
 * @throws RecordingError where the notes say that outcomes exclude each other of which several came true
 */
function areExclusive(
  ids: readonly MarketId[],
  lines: readonly RecordedLine[],
  notes: ReadonlyMap<MarketId, MarketNote>,
  file: string,
): boolean {
  const said = ids.map((id) => notes.get(id)?.exclusive ?? null);
  const winners = winnersOf(lines);
  if (said.every((one) => one === null)) return winners.length <= 1;
  if (said.includes(false) || said.includes(null)) return false;
  if (winners.length <= 1) return true;
  throw new RecordingError(
    file,
    0,
    `markets ${winners.join(' and ')} resolve long, and markets.json beside the recording says that they exclude each other; where several may come true, set "exclusive": false there`,
  );
}

/** Markets that resolve long, however often that is told. */
function winnersOf(lines: readonly RecordedLine[]): readonly MarketId[] {
  const told = lines
    .filter(isStatus)
    .filter((line) => line.status === 'resolved' && line.resolution === 'long');
  return [...new Set(told.map((line) => line.marketId))];
}

/** The last closing that no opening follows: earlier ones are suspensions. Null when it never closes. */
function lastClose(lines: readonly RecordedLine[]): Micros | null {
  let close: Micros | null = null;
  for (const line of lines.filter(isStatus)) {
    if (line.status === 'open') close = null;
    if (line.status === 'closed') close ??= line.at;
  }
  return close;
}
