/** Cuts the recordings of a sweep into pieces that are traded separately. */
import { basename } from 'node:path';
import { dayName, dayOf } from '../../domain/days.js';
import type { SweptPiece } from '../../report/sweep-report.js';
import type { BotSettings } from '../../settings/index.js';
import { type RecordingSource, recordingWindows, refuseOverlaps } from '../../storage/index.js';
import { underlyingOf } from '../backtest/recorded-events.js';

/** Bytes of decoded recordings that a sweep holds at most. Others are decoded again for each job. */
export const KEPT_MOST = 256 * 1024 * 1024;

/** A piece with its recordings. */
export interface TradedPiece extends SweptPiece {
  readonly recordings: readonly RecordingSource[];
  readonly rows: number;
}

/** Recordings of one event, or of several events that share a file. */
interface EventGroup {
  readonly events: Set<string>;
  readonly recordings: RecordingSource[];
}

/**
 * @param stated underlyings of events, where the configuration states them
 * @param windows equal parts of time of each event; empty parts are left out
 * @returns pieces by event in the order of the recordings, then by time
 * @throws RecordingError when two show a market at one time
 */
export async function piecesOf(
  recordings: readonly RecordingSource[],
  windows: number,
  stated: ReadonlyMap<string, string> = new Map(),
): Promise<readonly TradedPiece[]> {
  return (await Promise.all(groupsOf(recordings).map((group) => windowsOf(group, windows, stated)))).flat();
}

/** Reduces settings to the markets of a piece. */
export function settingsFor(
  settings: BotSettings,
  { recordings }: Pick<TradedPiece, 'recordings'>,
): BotSettings {
  const markets = new Set(recordings.flatMap((source) => source.markets.map(({ marketId }) => marketId)));
  const backtest = settings.backtest && {
    ...settings.backtest,
    recordings: recordings.map(({ name }) => basename(name)),
  };
  const own = { ...settings, backtest, sweep: null };
  if (settings.backtest?.markets === 'recorded') return own;
  return {
    ...own,
    events: settings.events.filter((event) => event.markets.some(({ id }) => markets.has(id))),
    instances: settings.instances
      .map((instance) => ({ ...instance, markets: instance.markets.filter((id) => markets.has(id)) }))
      .filter((instance) => instance.markets.length > 0),
  };
}

function groupsOf(recordings: readonly RecordingSource[]): readonly EventGroup[] {
  let groups: EventGroup[] = [];
  for (const source of recordings) {
    const events = new Set<string>(source.markets.map(({ eventId }) => eventId));
    const related = groups.filter((group) => [...events].some((event) => group.events.has(event)));
    const merged = {
      events: new Set([...related.flatMap((group) => [...group.events]), ...events]),
      recordings: [...related.flatMap((group) => group.recordings), source],
    };
    groups = [...groups.filter((group) => !related.includes(group)), merged];
  }
  return groups;
}

async function windowsOf(
  { events, recordings }: EventGroup,
  windows: number,
  stated: ReadonlyMap<string, string>,
): Promise<readonly TradedPiece[]> {
  refuseOverlaps(recordings);
  const start = Math.min(...recordings.map(({ firstAt }) => firstAt));
  const last = Math.max(...recordings.map(({ lastAt }) => lastAt));
  const event = [...events].join('+');
  const about = new Set([...events].map((id) => stated.get(id) ?? underlyingOf(recordings[0]!.name)));
  const cluster = `${dayName(dayOf(last))} ${[...about].join('+')}`;
  const bound = (place: number): number => start + Math.round(((last + 1 - start) * place) / windows);
  const spans = Array.from({ length: windows }, (_, place) => ({ from: bound(place), to: bound(place + 1) }));
  const cut = await Promise.all(recordings.map((source) => recordingWindows(source, spans)));
  return spans
    .map((span, place): TradedPiece => {
      const parts = cut.flatMap((ofSource, source) =>
        isSuperseded(recordings[source]!, recordings, span.from) ? [] : (ofSource[place] ?? []),
      );
      return { event, cluster, ...span, recordings: parts, rows: rowsOf(parts) };
    })
    .filter(({ rows }) => rows > 0);
}

/** Whether a recording has ended and others continue all its markets: its last books are old. */
const isSuperseded = (
  { lastAt, markets }: RecordingSource,
  recordings: readonly RecordingSource[],
  time: number,
): boolean =>
  lastAt < time &&
  markets.every((market) =>
    recordings
      .flatMap((other) => other.markets)
      .some(
        ({ marketId, firstAt }) => marketId === market.marketId && firstAt > market.lastAt && firstAt <= time,
      ),
  );

const rowsOf = (recordings: readonly RecordingSource[]): number =>
  recordings.reduce((sum, { rows }) => sum + rows, 0);
