/** Redacts a tape for a test: nobody can be told from it, and its engine decides as before. */
import type { Input } from '../../domain/inputs.js';
import { accountId } from '../../domain/ids.js';
import { parseChannel, userChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import type { JournalRecord } from '../../core/ports/journal.js';
import type { EngineStart } from './engine-start.js';
import type { FrameRecord, HeadRecord, StrategyFile, TapeRecord } from './records.js';

const NAME = 'fixture';
const NOBODY = accountId(1);
/** Members of payloads that name people or hold their words; no input is read from them but a comment's text. */
const PERSONAL = new Set(['user', 'username', 'email', 'account', 'avatar', 'content', 'comment', 'text']);

/** @returns null for what a fixture leaves out: traffic over REST, whose answers are inputs already */
export function forFixture(record: TapeRecord): TapeRecord | null {
  if (record.kind === 'head') return headFor(record);
  if (record.kind === 'start') return { ...record, engine: engineFor(record.engine) };
  if (record.kind === 'frame') return frameFor(record);
  if (record.kind === 'input') return { ...record, input: inputFor(record.input) };
  return record.kind === 'rest' ? null : record;
}

const headFor = (head: HeadRecord): HeadRecord => ({
  ...head,
  run: NAME,
  configuration: null,
  strategies: head.strategies.map(strategyFor),
  sources: [],
});

const engineFor = (engine: EngineStart): EngineStart => ({
  ...engine,
  runId: NAME,
  recovered: engine.recovered.map(recoveredFor),
});

/** The engine decides by what earlier runs left, not by their names, which keys contain, too. */
function recoveredFor(record: JournalRecord): JournalRecord {
  if (record.kind === 'run') return { ...record, runId: NAME, configHash: '' };
  if (record.kind !== 'request' || record.key === null) return record;
  return { ...record, key: `${NAME}-${record.requestId}` };
}

/** A file of one's own is named without its folders: a test says where it is. */
const strategyFor = (source: StrategyFile): StrategyFile => ({
  ...source,
  strategy: nameIn(source.strategy),
  file: nameIn(source.file),
});

const nameIn = (path: string): string => path.split('/').at(-1) ?? path;

const frameFor = (frame: FrameRecord): FrameRecord => ({
  ...frame,
  channel: channelFor(frame.channel),
  payload: frame.event === 'market-comment' ? impersonal(frame.payload) : withoutPeople(frame.payload),
});

function inputFor(input: Input): Input {
  if (input.kind === 'link') return { ...input, reason: '' };
  if (input.kind === 'subscription') return { ...input, channel: channelFor(input.channel), reason: '' };
  if (input.kind === 'malformed') return { ...input, channel: channelFor(input.channel), reason: '' };
  return input;
}

const channelFor = (channel: string): string =>
  parseChannel(channel).kind === 'user' ? userChannel(NOBODY) : channel;

/** Empties what people say and are, numbers as well; every member keeps its type. */
const impersonal = (value: unknown): unknown =>
  mapped(value, (name, member) => (PERSONAL.has(name) ? emptied(member) : member));

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) return value.map(emptied);
  return mapped(value, (_name, member) => emptied(member));
}

/** Removes members from which no input is read. */
const withoutPeople = (value: unknown): unknown =>
  mapped(value, (name, member) => (PERSONAL.has(name) ? undefined : member));

function mapped(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const changed = change(name, member);
      return changed === undefined ? [] : [[name, mapped(changed, change)]];
    }),
  );
}
