/** The recordings of a sweep, cut into what is traded by itself. */
import { basename, dirname } from 'node:path';
import { dayOf } from '../../analytics/equity.js';
import { type Piece, recordingWindow } from '../../backtest/index.js';
import type { BotSettings } from '../../settings/index.js';
import type { RecordingSource } from '../../tape/index.js';

/** A piece with what it is traded on. */
export interface TradedPiece extends Piece {
  readonly recordings: readonly RecordingSource[];
  readonly rows: number;
}

/** Recordings of one event, or of events that share a file. */
interface EventGroup {
  readonly events: Set<number>;
  readonly recordings: RecordingSource[];
}

/**
 * @param windows equal parts of time that each event is cut into; parts in which nothing is known are left out
 * @returns pieces by event in the order of the recordings, then by time
 */
export function piecesOf(recordings: readonly RecordingSource[], windows: number): readonly TradedPiece[] {
  const isAlone = recordings.length === 1;
  return groupsOf(recordings).flatMap((group) => windowsOf(group, windows, isAlone));
}

/** The settings of a bot for a piece: what is not in its recordings is left out. */
export function settingsFor(
  settings: BotSettings,
  { recordings }: Pick<TradedPiece, 'recordings'>,
): BotSettings {
  const markets = new Set<number>(
    recordings.flatMap((source) => source.markets.map(({ marketId }) => marketId)),
  );
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
    const events = new Set<number>(source.markets.map(({ eventId }) => eventId));
    const related = groups.filter((group) => [...events].some((event) => group.events.has(event)));
    const merged = {
      events: new Set([...related.flatMap((group) => [...group.events]), ...events]),
      recordings: [...related.flatMap((group) => group.recordings), source],
    };
    groups = [...groups.filter((group) => !related.includes(group)), merged];
  }
  return groups;
}

function windowsOf(
  { events, recordings }: EventGroup,
  windows: number,
  isAlone: boolean,
): readonly TradedPiece[] {
  const start = Math.min(...recordings.map(({ firstAt }) => firstAt));
  const last = Math.max(...recordings.map(({ lastAt }) => lastAt));
  const event = [...events].join('+');
  const folder = basename(dirname(recordings[0]!.name));
  const cluster = `${dayOf(last)} ${isAlone ? `event ${event}` : folder}`;
  const bound = (place: number): number => start + Math.round(((last + 1 - start) * place) / windows);
  return Array.from({ length: windows }, (_, place): TradedPiece => {
    const [from, to] = [bound(place), bound(place + 1)];
    const parts = recordings.flatMap((source) => recordingWindow(source, from, to) ?? []);
    return { event, cluster, from, to, recordings: parts, rows: rowsOf(parts) };
  }).filter(({ rows }) => rows > 0);
}

const rowsOf = (recordings: readonly RecordingSource[]): number =>
  recordings.reduce((sum, { rows }) => sum + rows, 0);
