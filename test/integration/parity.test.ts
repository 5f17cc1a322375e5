import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explainOrder } from '../../src/runs/explain/explain.js';
import type { OrderLine, OrderStory } from '../../src/runs/explain/order-story.js';
import { checkParity, isIdentical } from '../../src/runs/replay/replay.js';
import { calibrateRecordings } from '../../src/cli/commands/calibrate.js';
import { explainRun } from '../../src/cli/commands/explain.js';
import { parityLines, runParity } from '../../src/cli/commands/parity.js';
import { rewriteReport } from '../../src/cli/commands/report.js';
import { shadowRun } from '../../src/cli/commands/shadow.js';
import { exportTables } from '../../src/cli/commands/tape.js';
import type { Micros } from '../../src/domain/units.js';
import { openRecording, readRunFile, type TapeLine, TapeReader } from '../../src/storage/index.js';
import { BAD_DAY, recordedSession, type Session } from '../support/tape/recorded-session.js';
import { rewritten, withOtherSpread } from '../support/tape/rewritten-tape.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { expectRefusal, ran } from '../support/screen/told-command.js';
import { linesOf } from '../support/tape/tape.js';

/** `ODDSMITH_PARITY_MINUTES=10` records a session of ten; without it one that lasts some seconds. */
const MINUTES = Number(process.env['ODDSMITH_PARITY_MINUTES'] ?? 0);
/** Two minutes besides, on a machine that stands still now and then. */
const PATIENCE_MS = (MINUTES + 2) * 60_000;
vi.setConfig({ testTimeout: (MINUTES + 1) * 60_000 });

let stateDir = '';
let session: Session;
beforeAll(async () => {
  stateDir = mkdtempSync(join(tmpdir(), 'recorded-'));
  const endsAt = performance.now() + MINUTES * 60_000;
  session = await recordedSession({
    stateDir,
    runId: 'parity-1',
    faults: BAD_DAY,
    isEnough: ({ counts }) => counts.decisions > 200 && counts.fills > 3 && performance.now() >= endsAt,
    patienceMs: (MINUTES + 1.5) * 60_000,
  });
}, PATIENCE_MS);
afterAll(() => rmSync(stateDir, { recursive: true, force: true }));

describe('a session over the wire with faults on', () => {
  it('is replayed from its tape to the same decisions, all of them', async () => {
    const parity = await checkParity(session.folder);
    expect(parity.divergence).toBeNull();
    expect(isIdentical(parity)).toBe(true);
    expect(parity).toMatchObject({
      decisions: session.view.counts.decisions,
      replayedHash: session.decisionHash,
      recordedHash: session.decisionHash,
      ending: { state: 'closed', tornBytes: 0 },
      changed: [],
    });
    expect(readRunFile(session.folder)).toMatchObject({
      outcome: session.end.outcome,
      decisions: { count: parity.decisions, hash: session.decisionHash },
    });
  });

  it('has everything on its tape: frames, requests, answers, decisions, fills', async () => {
    const kinds = new Set((await linesOf(session.folder)).map(({ kind }) => kind));
    const expected = [
      'close',
      'decision',
      'end',
      'fill',
      'frame',
      'head',
      'input',
      'rest',
      'segment',
      'start',
    ];
    expect([...kinds].toSorted()).toEqual(expected);
  });

  it('leaves no secret in its folder', () => {
    const dir = join(session.folder, 'tape');
    const tape = readdirSync(dir).map((name) => gunzipSync(readFileSync(join(dir, name))).toString());
    const text = [...tape, readFileSync(join(session.folder, 'run.json'), 'utf8')].join('\n');
    for (const secret of ['sk_maker', 'sk_rival', 'sk_crowd']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\b[0-9a-f]{128}\b/i);
    expect(text).not.toMatch(/\w:[0-9a-f]{64}\b/i);
  });
});

describe('a difference', () => {
  it('is told with the first decision that differs and both inputs', async () => {
    const other = await rewritten(session.folder, withOtherSpread);
    const parity = await checkParity(other);
    expect(isIdentical(parity)).toBe(false);
    const { divergence } = parity;
    expect(divergence?.index).toBe(parity.decisions);
    expect(divergence?.recorded?.line).not.toBe(divergence?.replayed?.line);
    expect(divergence?.recorded?.input.line.kind).toMatch(/frame|input/);
    const text = parityLines(parity).join('\n');
    expect(text).toMatch(/decision \d+ differs\n  recorded: [a-z-]+, number \d+ of input \d+/);
    expect(text).toMatch(/\n  replayed: [a-z-]+, number \d+ of input \d+\n/);
  });

  it('is told where a decision is missing from the tape', async () => {
    let seen = 0;
    const other = await rewritten(session.folder, (line) =>
      line.kind === 'decision' && (seen += 1) === 50 ? null : line,
    );
    const { divergence } = await checkParity(other);
    expect(divergence).toMatchObject({ index: 49 });
  });

  it('is not looked for behind a gap', async () => {
    const other = await rewritten(session.folder, (line) =>
      line.kind === 'fill'
        ? ({ ...line, kind: 'gap', reason: 'buffer-full', lines: 3, micros: null } as never)
        : line,
    );
    const parity = await checkParity(other);
    expect(parity.gap).not.toBeNull();
    expect(isIdentical(parity)).toBe(false);
  });
});

describe('a tape that was changed and whose sums fit', () => {
  /** A run whose tape is changed in its middle. */
  async function changed(change: (line: TapeLine) => TapeLine | null): Promise<string> {
    const folder = scratchFolder();
    cpSync(join(session.folder, 'run.json'), join(folder, 'run.json'));
    mkdirSync(join(folder, 'tape'));
    await rewritten(session.folder, change, join(folder, 'tape', '000001.ndjson.gz'));
    return folder;
  }
  const numbered = (line: TapeLine, seq: number): TapeLine | null =>
    (line.kind === 'frame' || line.kind === 'input') && line.seq !== undefined ? { ...line, seq } : null;
  const seqOf = (line: TapeLine): number | null =>
    (line.kind === 'frame' || line.kind === 'input') && line.seq !== undefined ? line.seq : null;
  const commands = (folder: string): readonly (readonly [string, () => Promise<number>])[] => [
    ['parity', () => runParity(folder, { json: false })],
    ['explain', () => explainRun(folder, undefined, { scenario: 'expected', json: true })],
    ['report', () => rewriteReport(folder, { tried: 1 })],
    ['shadow', () => shadowRun(folder, { json: false })],
    ['calibrate', () => calibrateRecordings([folder], { distances: 4 })],
    ['tape export', () => exportTables(folder, { out: scratchFolder() })],
    ['backtest', async () => (await openRecording(folder)).rows],
  ];

  it.each<[string, (line: TapeLine) => TapeLine | null, RegExp]>([
    [
      'with an input missing',
      (line) => (seqOf(line) === 40 ? null : line),
      /000001\.ndjson\.gz:\d+ \(byte \d+\): input 40 is missing before input 41, and no gap says why$/,
    ],
    [
      'with inputs that changed places',
      (line) => numbered(line, [41, 40][(seqOf(line) ?? 0) - 40] ?? seqOf(line)!) ?? line,
      /000001\.ndjson\.gz:\d+ \(byte \d+\): input 40 is missing before input 41, and no gap says why$/,
    ],
    [
      'with an input twice',
      (line) => numbered(line, seqOf(line) === 41 ? 40 : seqOf(line)!) ?? line,
      /:\d+ \(byte \d+\): input 40 is here again or out of order; expected input 41$/,
    ],
    [
      'with a time that goes back',
      (line) => (seqOf(line) === 40 ? { ...line, at: (line.at - 3_600_000_000) as Micros } : line),
      /:\d+ \(byte \d+\): input 40 is older than the one before it$/,
    ],
  ])('%s, is refused by all that follow it, with line and byte', async (_, change, text) => {
    const folder = await changed(change);
    for (const [name, command] of commands(folder)) {
      const told = await ran(command);
      expect(`${name}: ${told.text.trimEnd().split('\n').at(-1)}`).toMatch(text);
      expectRefusal(told, text);
    }
  });

  it('to a gap, is explained and calibrated on, and both say so', async () => {
    const folder = await changed((line) =>
      seqOf(line) === 40
        ? ({ ...line, kind: 'gap', reason: 'buffer-full', lines: 1, micros: null } as never)
        : line,
    );
    const warned = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await ran(() => explainRun(folder, undefined, { scenario: 'expected', json: true }));
    const text = warned.mock.calls.map(String).join('');
    warned.mockRestore();
    expect(text).toMatch(/lines are missing at .*:\d+ \(byte \d+\): behind it the story may be another one/);
    const calibrated = await ran(() => calibrateRecordings([folder], { distances: 4 }));
    expect(calibrated.text).toMatch(/# .*: it has \d+ gaps, in which its books stand still/);
  });
});

describe('every order of it', () => {
  const storyOf = async (orderId: string): Promise<OrderStory> => {
    const { story } = await explainOrder(session.folder, {
      order: { kind: 'venue', orderId: orderId as never },
      scenario: 'expected',
    });
    return story!;
  };

  it('is listed, and explained from fair value to price and from request to end', async () => {
    const lines: OrderLine[] = [];
    await explainOrder(session.folder, {
      order: null,
      scenario: 'expected',
      list: (line) => lines.push(line),
    });
    const named = lines.filter(({ orderId }) => orderId !== null);
    expect(named.length).toBeGreaterThan(20);
    for (const { orderId, price, position } of [named[3]!, named[Math.floor(named.length / 2)]!]) {
      const { asked, events } = await storyOf(orderId!);
      const { pricing, setting } = asked!;
      const sum = pricing!.steps.reduce((total, { value }) => total + value, 0);
      expect(pricing!.steps[0]!.label).toBe('fair');
      expect(pricing!.wanted).toBeCloseTo(sum, 9);
      expect(sum + pricing!.rounding + pricing!.moved).toBeCloseTo(pricing!.longPrice, 9);
      expect(pricing!.longPrice).toBeCloseTo(position === 'long' ? price / 10_000 : 1 - price / 10_000, 9);
      expect(setting!.bids.length + setting!.asks.length).toBeGreaterThan(0);
      expect(events[0]!.text).toMatch(/^asked for \(request \d+\)$/);
      expect(events.some(({ text }) => text.startsWith('over: '))).toBe(true);
    }
  });

  it('that was filled tells its fills', async () => {
    let filled = '';
    for await (const batch of new TapeReader(session.folder).batches())
      for (const { line } of batch)
        if (line.kind === 'fill' && line.fill.shares > 0) filled ||= line.fill.orderId;
    const { events } = await storyOf(filled);
    expect(events.some(({ text }) => text.startsWith('filled '))).toBe(true);
  });

  it('and no other: an unknown number has no story', async () => {
    const explained = await explainOrder(session.folder, {
      order: { kind: 'venue', orderId: '99999999' as never },
      scenario: 'expected',
    });
    expect(explained.story).toBeNull();
  });
});
