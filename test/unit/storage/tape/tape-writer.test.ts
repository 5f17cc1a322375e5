import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { tapeScrub } from '../../../../src/runs/secrets.js';
import { createRedactor } from '../../../../src/ops/telemetry/redaction.js';
import { keptOf, surveyTape, tapeEndOf, type TapeWriteError } from '../../../../src/storage/index.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { HEAD, linesOf, openTape, second } from '../../../support/tape/tape.js';

describe('recording', () => {
  test('on a full disk stops, says so once, and throws at nobody', async () => {
    const told: TapeWriteError[] = [];
    const tape = openTape(scratchFolder(), {
      flushMs: 5,
      open: () => createWriteStream('/dev/full'),
      onFault: (error) => told.push(error),
    });
    tape.record(HEAD);
    await expect.poll(() => tape.isRecording).toBe(false);
    for (let seq = 1; seq <= 100; seq++) tape.record({ kind: 'input', seq, input: { kind: 'timer' } });
    await tape.close();
    expect(told.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^ODDSMITH_TAPE_WRITE recording stopped: ENOSPC/),
    ]);
  });

  test('begins no file behind one that the disk did not take whole', async () => {
    const dir = scratchFolder();
    const isFirst = (path: string): boolean => path.endsWith('000001.ndjson.gz');
    const tape = openTape(dir, {
      segmentBytes: 100,
      onFault: () => undefined,
      open: (path) => createWriteStream(isFirst(path) ? '/dev/full' : path),
    });
    tape.record(HEAD);
    await expect.poll(() => tape.isRecording).toBe(false);
    await tape.close();
    expect(readdirSync(dir)).toEqual([]);
  });

  test('a tape that is gone on with tells what is kept of it alone', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir);
    tape.record(HEAD);
    await tape.close();
    const before = (await tapeEndOf(dir))!.n;
    expect(await keptOf(dir, 0)).toEqual({ lines: before, frames: 0 });
    expect(await keptOf(dir, before)).toEqual({ lines: 0, frames: 0 });
  });

  test('reaches the file within the flush interval, without an end', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir, { flushMs: 10 });
    tape.record(HEAD);
    tape.record({ kind: 'input', seq: 1, input: { kind: 'timer' } }, second(1));
    await expect.poll(() => linesOf(dir)).toHaveLength(3);
    expect((await surveyTape(dir)).ending.state).toBe('unfinished');
    await tape.close();
    expect((await surveyTape(dir)).ending.state).toBe('closed');
  });

  test('keeps no more in memory than it may while the disk does not follow, and says what it left out', async () => {
    const dir = scratchFolder();
    let release = (): void => undefined;
    const slow = (path: string) => {
      const file = createWriteStream(path);
      const stuck = new Promise<void>((resolve) => (release = resolve));
      return new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          void stuck.then(() => file.write(chunk, done));
        },
        final: (done) => void file.end(done),
      }) as never;
    };
    const tape = openTape(dir, { bufferBytes: 4_000, flushMs: 5, open: slow });
    const reason = 'x'.repeat(400);
    for (let seq = 1; seq <= 2_000; seq++) {
      tape.record({
        kind: 'input',
        seq,
        input: { kind: 'malformed', event: '', channel: '', reason: `${seq}${reason}` },
      });
      if (seq % 10 === 0) await new Promise(setImmediate);
    }
    release();
    let told = 2_000;
    const lastLineAfterOneMore = async () => {
      tape.record({ kind: 'input', input: { kind: 'timer' } });
      told += 1;
      await new Promise(setImmediate);
      return (await linesOf(dir)).at(-1);
    };
    await expect.poll(lastLineAfterOneMore).toMatchObject({ input: { kind: 'timer' } });
    await tape.close();
    const lines = await linesOf(dir);
    const gaps = lines.filter((line) => line.kind === 'gap');
    const missing = gaps.reduce((sum, gap) => sum + gap.lines!, 0);
    expect(missing).toBeGreaterThan(0);
    expect(gaps.every(({ reason }) => reason === 'buffer-full')).toBe(true);
    expect(lines.filter(({ kind }) => kind === 'input').length + missing).toBe(told);
  });
});

describe('secrets', () => {
  const SECRETS = ['sk_very_private', 'quote"in\\it', '1234567'];
  const HMAC = 'a1'.repeat(64);
  const AUTH = `app-key:${'b2'.repeat(32)}`;

  test('are taken out of every line, which stays JSON', async () => {
    const dir = scratchFolder();
    const tape = openTape(dir, { scrub: tapeScrub(createRedactor(SECRETS)) });
    tape.record({ ...HEAD, configuration: { note: `key ${SECRETS[0]}`, privateKey: 'short' } });
    for (const secret of [...SECRETS, HMAC, AUTH])
      tape.record({
        kind: 'input',
        input: { kind: 'malformed', event: '', channel: '', reason: `said ${secret}.` },
      });
    tape.record({
      kind: 'input',
      input: { kind: 'comment', eventId: '1' as never, commentId: 1_234_567, content: '' },
    });
    await tape.close();
    const text = gunzipSync(readFileSync(join(dir, '000001.ndjson.gz'))).toString();
    for (const secret of [SECRETS[0]!, 'quote\\"in', HMAC, AUTH.slice(8)]) expect(text).not.toContain(secret);
    const lines = await linesOf(dir);
    expect(lines.at(-2)).toMatchObject({ input: { commentId: 1_234_567 } });
    expect(lines.filter((line) => JSON.stringify(line).includes('[redacted]')).length).toBeGreaterThanOrEqual(
      5,
    );
  });
});
