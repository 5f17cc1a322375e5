/** Each kind of source with what it reads: a real file, a real server, a real program. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import type { FairValueUpdate } from '../../../../src/domain/inputs.js';
import { FairValueSources } from '../../../../src/runs/fair-values/fair-value-sources.js';
import type { FairSourceSettings } from '../../../../src/settings/index.js';
import { SystemClock } from '../../../../src/storage/clocks/system-clock.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';

/** One source that is open, and what it said. */
function opened(
  special: Partial<FairSourceSettings>,
  folder = scratchFolder(),
  secrets: readonly string[] = [],
) {
  const values: FairValueUpdate[] = [];
  const lines: string[] = [];
  const log = (text: string): void => void lines.push(text);
  const markets = [
    { id: marketId(11), key: 'HOME', maxAgeMs: null },
    { id: marketId(12), key: 'AWAY', maxAgeMs: null },
  ];
  const common = { name: 'model', markets, maxAgeMs: 60_000, whenStale: 'halt' } as const;
  const sources = new FairValueSources({
    sources: [{ ...common, ...special } as FairSourceSettings],
    file: join(folder, 'bot.yaml'),
    clock: new SystemClock(),
    logger: { info: log, warn: log },
    secrets,
    take: (said) => values.push(...said.filter((value) => value.kind === 'fair-value')),
  });
  sources.open();
  onTestFinished(() => sources.close());
  const said = (): readonly (readonly [string, number])[] => values.map(({ marketId: id, p }) => [id, p]);
  const expectSaid = async (expected: readonly (readonly [number, number])[]): Promise<void> =>
    await expect.poll(said, { timeout: 10_000 }).toEqual(expected.map(([id, p]) => [String(id), p]));
  return { sources, values, lines, said, expectSaid };
}

describe('a file that is followed', () => {
  const HEAD = 'market,probability\n';

  function followed(text: string | null) {
    const folder = scratchFolder();
    const path = join(folder, 'values.csv');
    if (text !== null) writeFileSync(path, text);
    return { path, ...opened({ kind: 'file', path: 'values.csv' }, folder) };
  }

  it('says what it holds, then what is appended, a line once it is whole', async () => {
    const { path, expectSaid } = followed(`${HEAD}HOME,0.1\nHOME,0.2\nAWAY,0.9\n`);
    await expectSaid([[11, 0.2], [12, 0.9]]); // prettier-ignore
    appendFileSync(path, 'HOME,0.2');
    await new Promise((resolve) => setTimeout(resolve, 500));
    appendFileSync(path, '5\n');
    await expectSaid([[11, 0.2], [12, 0.9], [11, 0.25]]); // prettier-ignore
  });

  it('is read from its beginning once it is cut', async () => {
    const { path, expectSaid } = followed(`${HEAD}HOME,0.1\n`);
    await expectSaid([[11, 0.1]]);
    truncateSync(path);
    appendFileSync(path, 'probability,market\n0.3,HOME\n');
    await expectSaid([[11, 0.1], [11, 0.3]]); // prettier-ignore
  });

  it.each([
    ['shorter', `${HEAD}HOME,0.3\n`],
    ['as long', `${HEAD}HOME,0.32\nAWAY,0.90\n`],
    ['longer', `${HEAD}HOME,0.3\nAWAY,0.8\nHOME,0.3111111\n`],
  ])(
    'is read from its beginning once another one is in its place, or it was written anew: %s',
    async (_how, text) => {
      const { path, values } = followed(`${HEAD}HOME,0.12\nAWAY,0.90\n`);
      const home = () => values.filter(({ marketId: id }) => id === '11').at(-1)?.p;
      await expect.poll(home, { timeout: 10_000 }).toBe(0.12);
      writeFileSync(path, text);
      await expect.poll(home, { timeout: 10_000 }).toBeCloseTo(0.31, 1);
      writeFileSync(`${path}.new`, `${HEAD}HOME,0.5\n`);
      renameSync(`${path}.new`, path);
      await expect.poll(home, { timeout: 10_000 }).toBe(0.5);
    },
  );

  it('may not be there, go, and come back', async () => {
    const { path, lines, expectSaid, sources } = followed(null);
    await expect
      .poll(() => lines.join('\n'))
      .toMatch(/fair values of model cannot be read: .*values\.csv .*ENOENT/);
    expect(sources.figures()).toMatchObject([{ source: 'model', isUp: false }]);
    writeFileSync(path, `${HEAD}HOME,0.1\n`);
    await expectSaid([[11, 0.1]]);
    await expect.poll(() => lines.at(-1)).toMatch(/can be read again/);
    rmSync(path);
    await expect.poll(() => sources.figures()[0]!.isUp, { timeout: 10_000 }).toBe(false);
    expect(lines).toHaveLength(3);
  });

  it('is a regular file: nothing waits for the writer of a pipe', async () => {
    const folder = scratchFolder();
    execFileSync('mkfifo', [join(folder, 'values.csv')]);
    const { lines, sources } = opened({ kind: 'file', path: 'values.csv' }, folder);
    await expect.poll(() => lines.join(), { timeout: 10_000 }).toMatch(/values.csv is no regular file/);
    await sources.close();
  });

  it('of yesterday is no news of today', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'values.csv');
    writeFileSync(path, `${HEAD}HOME,0.1\n`);
    const yesterday = Math.floor(Date.now() / 1_000) - 86_400;
    utimesSync(path, yesterday, yesterday);
    const { values } = opened({ kind: 'file', path: 'values.csv' }, folder);
    await expect.poll(() => values.map(({ at }) => at / 1e6), { timeout: 10_000 }).toEqual([yesterday]);
  });
});

describe('an address that is polled', () => {
  /** Answers one request after the other; the last answer serves all further ones. */
  async function polled(
    answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[],
    token: string | null = null,
  ) {
    const asked: { readonly at: number; readonly headers: IncomingMessage['headers'] }[] = [];
    const server = createServer((request, response) => {
      asked.push({ at: performance.now(), headers: request.headers });
      answers[Math.min(asked.length, answers.length) - 1]!(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/odds?key=a-secret`;
    return { asked, ...opened({ kind: 'url', url, everyMs: 100, token }) };
  }
  const says =
    (p: number, headers = {}) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, headers).end(JSON.stringify([{ market: 'HOME', probability: p }]));
  const status =
    (code: number, headers = {}) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(code, headers).end();

  it('is asked again, with its ETag and the token; an answer that has not changed confirms the values', async () => {
    const { asked, values, said } = await polled(
      [says(0.4, { etag: '"7"' }), status(304), says(0.6)],
      'a-token-1',
    );
    await expect.poll(() => said().length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(said().slice(0, 3)).toEqual([['11', 0.4], ['11', 0.4], ['11', 0.6]]); // prettier-ignore
    expect(values[1]!.at).toBeGreaterThan(values[0]!.at);
    expect(asked.map(({ headers }) => headers['if-none-match']).slice(0, 2)).toEqual([undefined, '"7"']);
    expect(asked[0]!.headers.authorization).toBe('Bearer a-token-1');
  });

  it('that fails is asked less often, told of once, and comes back', async () => {
    const { asked, lines, said } = await polled([says(0.4), status(500), status(302), says(0.6)]);
    await expect.poll(() => said().length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(asked[2]!.at - asked[1]!.at).toBeGreaterThan(900);
    expect(asked[3]!.at - asked[2]!.at).toBeGreaterThan(1_900);
    expect(lines).toEqual([
      expect.stringMatching(/gives no values \(answer 500\); it is tried again/),
      expect.stringMatching(/again$/),
    ]);
    expect(lines.join()).not.toContain('a-secret');
  });

  it('that asks for patience gets it', async () => {
    const { asked } = await polled([status(429, { 'retry-after': '2' }), says(0.6)]);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(1);
    expect(asked[1]!.at - asked[0]!.at).toBeGreaterThan(1_900);
  });

  it('that answers more than it should gives nothing', async () => {
    const endless = (_request: IncomingMessage, response: ServerResponse): void => {
      response.on('error', () => undefined);
      response.end(Buffer.alloc(2_000_000, 'x'));
    };
    const { lines, said } = await polled([endless]);
    await expect.poll(() => lines.join(), { timeout: 10_000 }).toMatch(/more than 1048576 bytes/);
    expect(said()).toEqual([]);
  });
});

describe('a program', () => {
  const node = (code: string) => ({ kind: 'process' as const, command: [process.execPath, '-e', code] });
  const alive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('says values on its standard output, and is started again when it ends', async () => {
    const code = `console.log(JSON.stringify({ market: 'HOME', probability: 0.4 })); console.error('no more'); process.exitCode = 3`;
    const { lines, expectSaid } = opened(node(code));
    await expectSaid([[11, 0.4]]);
    await expect
      .poll(() => lines[0])
      .toMatch(/cannot be read: .* ended with code 3: no more; it is tried again/);
    await expectSaid([[11, 0.4], [11, 0.4]]); // prettier-ignore
    expect(lines[1]).toMatch(/can be read again/);
  });

  it('ends with the bot, and so does what it started', async () => {
    const inner = `console.log('market,probability\\\\nHOME,0.' + process.pid); setInterval(() => {}, 1000); process.on('SIGTERM', () => {})`;
    const { said, sources } = opened({
      kind: 'process',
      command: ['sh', '-c', `"${process.execPath}" -e "${inner}"; true`],
    });
    await expect.poll(said, { timeout: 10_000 }).toHaveLength(1);
    const pid = Number(String(said()[0]![1]).slice(2));
    expect(alive(pid) || alive(pid * 10)).toBe(true);
    await sources.close();
    await expect.poll(() => alive(pid)).toBe(false);
  });

  it('is not waited for where what it started has left its group', async () => {
    const inner = `console.log('market,probability\\nHOME,0.4'); setTimeout(() => {}, 8000)`;
    const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true, stdio: 'inherit' }); setInterval(() => {}, 1000)`;
    const { expectSaid, sources } = opened(node(code));
    await expectSaid([[11, 0.4]]);
    const began = performance.now();
    await sources.close();
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('does not learn the keys of the bot', async () => {
    process.env['FAIR_TEST_KEY'] = 'sk-0123456789';
    process.env['FAIR_TEST_WORD'] = 'HOME';
    onTestFinished(() => void (delete process.env['FAIR_TEST_KEY'], delete process.env['FAIR_TEST_WORD']));
    const code = `const { FAIR_TEST_KEY, FAIR_TEST_WORD } = process.env; console.log(JSON.stringify({ market: FAIR_TEST_WORD, probability: FAIR_TEST_KEY ? 1 : 0 })); setInterval(() => {}, 1000)`;
    const { expectSaid } = opened(node(code), scratchFolder(), ['sk-0123456789']);
    await expectSaid([[11, 0]]);
  });

  it('that is not there is told of', async () => {
    const { lines } = opened({ kind: 'process', command: ['no-such-program-here'] });
    await expect.poll(() => lines.join()).toMatch(/no-such-program-here ENOENT; it is tried again/);
  });
});

describe('values that are sent', () => {
  it('count, and are told of together where they are refused', async () => {
    const { sources, expectSaid, lines } = opened({ kind: 'push' });
    const send = (market: string, probability: number) =>
      sources.send([{ line: 1, content: { market, probability } }]);
    expect(send('HOME', 0.4)).toEqual({ accepted: 1, refused: [] });
    await expectSaid([[11, 0.4]]);
    for (const p of [2, 3, 4]) expect(send('HOME', p)).toMatchObject({ accepted: 0, refused: [{ line: 1 }] });
    expect(lines).toEqual([
      'fair values of model: 1 refused, such as line 1: expected a number from 0 to 1, found probability 2; known values count until they are too old',
    ]);
    await sources.close();
    expect(lines[1]).toMatch(/^fair values of model: 2 refused, such as line 1: .*found probability 4/);
    expect(sources.figures()).toMatchObject([
      { isUp: true, counts: { accepted: 1, 'not-a-probability': 3 } },
    ]);
  });

  it('have nowhere to go without a source that takes them', () => {
    expect(opened({ kind: 'file', path: 'none' }).sources.send([])).toBeNull();
  });
});
