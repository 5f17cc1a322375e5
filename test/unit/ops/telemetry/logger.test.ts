import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type LoggerOptions, createLogger, prettyLine } from '../../../../src/ops/telemetry/logger.js';
import { REDACTED } from '../../../../src/ops/telemetry/redaction.js';

const KEY = 'sk_live_4f9ba2';

function listen(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const log = createLogger({ level: 'debug', secrets: [KEY], style: 'json', write, ...options });
  return { log, lines, entries: () => lines.map((line): unknown => JSON.parse(line)) };
}

describe('the logger', () => {
  it('writes one JSON line each, with time, level, text and members', () => {
    const { log, lines, entries } = listen();
    log.info('order created', { orderId: 7 });
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(entries()).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'order created', orderId: 7 },
    ]);
  });

  it('gives every line of a child its correlation, and that of its parents', () => {
    const { log, entries } = listen();
    log.child({ runId: 'r1' }).child({ requestId: 4, marketId: '2231' }).warn('refused');
    expect(entries()).toEqual([expect.objectContaining({ runId: 'r1', requestId: 4, marketId: '2231' })]);
  });

  it('leaves out what is below its level', () => {
    const { log, entries } = listen({ level: 'warn' });
    log.info('quiet');
    log.error('loud');
    expect(entries()).toEqual([expect.objectContaining({ msg: 'loud' })]);
  });

  it('says nothing at all when silent', () => {
    const { log, lines } = listen({ level: 'silent' });
    log.error('loud');
    expect(lines).toEqual([]);
  });

  it('hides secrets in texts, members, errors and the correlation', () => {
    const { log, lines } = listen();
    const error = new Error(`wrong key ${KEY}`, { cause: new Error(KEY) });
    log.child({ instance: KEY }).error(`signing with ${KEY}`, { headers: { HMAC: 'x' }, err: error });
    expect(lines.join('')).not.toContain(KEY);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      instance: REDACTED,
      msg: `signing with ${REDACTED}`,
      headers: { HMAC: REDACTED },
      err: { type: 'Error', message: `wrong key ${REDACTED}`, cause: { message: REDACTED } },
    });
  });
});

describe('lines for a person', () => {
  const plain = (entry: object): string => stripVTControlCharacters(prettyLine(JSON.stringify(entry)));

  it('show clock time, level, text and members', () => {
    const entry = {
      level: 'warn',
      time: '2026-01-31T09:30:00.250Z',
      msg: 'refused',
      code: 'MarketClosed',
      n: 3,
    };
    expect(plain(entry)).toBe('09:30:00.250 WARN  refused code=MarketClosed n=3\n');
  });

  it('show the stack of an error below, indented', () => {
    const entry = { level: 'error', time: '', msg: 'failed', err: { stack: 'Error: x\n    at y' } };
    expect(plain(entry)).toBe('ERROR failed\n  Error: x\n      at y\n');
  });

  it('are written when the style asks for them', () => {
    const { log, lines } = listen({ style: 'lines' });
    log.info('hello', { a: { b: 1 } });
    expect(stripVTControlCharacters(lines[0] ?? '')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}hello a=\{"b":1\}\n$/,
    );
  });

  it('leave text alone that is no entry', () => {
    expect(prettyLine('not json\n')).toBe('not json\n');
  });
});
