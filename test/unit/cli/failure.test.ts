import { describe, expect, it } from 'vitest';
import { StateUnreadableError } from '../../../src/ops/state/risk-file.js';
import { FencedError } from '../../../src/ops/state/latches.js';
import { Interrupted } from '../../../src/runs/interruption.js';
import { RedisError } from '../../../src/runs/sweep/redis/connection.js';
import { JobRefusal } from '../../../src/runs/sweep/redis/job-taker.js';
import { describeFailure, exitCodeOf } from '../../../src/cli/failure.js';
import {
  cannotWrite,
  EXIT,
  InvariantError,
  KeysRefusedError,
  UsageError,
  VenueUnreachableError,
} from '../../../src/domain/errors.js';
import { DecimalError } from '../../../src/venues/futuur/protocol/decimals.js';
import { JournalError } from '../../../src/core/ports/journal.js';
import { CommandLogError } from '../../../src/storage/command-log/index.js';
import { JournalCorruptError } from '../../../src/storage/journal/file-journal.js';
import { LockHeldError } from '../../../src/storage/state/lock-file.js';
import { ListenError, PortBusyError } from '../../../src/exchange-server/index.js';
import { SettingsError } from '../../../src/settings/index.js';

describe('a command that fails', () => {
  it.each([
    [new UsageError('no such file'), EXIT.usage],
    [new SettingsError('bot.yaml', []), EXIT.usage],
    [new LockHeldError('process 7 already runs it'), EXIT.usage],
    [new StateUnreadableError('damaged'), EXIT.usage],
    [new JournalCorruptError('journal-00000001.ndjson', 7, 'a sum is wrong'), EXIT.usage],
    [new JournalError('disk-full', 'there is no room'), EXIT.usage],
    [new CommandLogError('damaged'), EXIT.usage],
    [new PortBusyError('127.0.0.1', 4010), EXIT.usage],
    [new ListenError('not permitted'), EXIT.usage],
    [new RedisError('cannot be reached'), EXIT.usage],
    [new KeysRefusedError('unknown key'), EXIT.keysRefused],
    [new VenueUnreachableError('time-out'), EXIT.venueUnreachable],
    [new FencedError('a fence stands'), EXIT.killLatched],
    [new Interrupted('stopped'), EXIT.forced],
    [new JobRefusal('another version'), EXIT.usage],
    [new DecimalError('price', 'a decimal', 'x'), EXIT.internal],
    [new InvariantError('a sum is not zero'), EXIT.internal],
    [new TypeError('x is not a function'), EXIT.internal],
    ['a thrown text', EXIT.internal],
  ])('%s ends with %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('tells a person what they can mend, without a stack', () => {
    expect(describeFailure(new UsageError('no such file'))).toBe('no such file');
  });

  it.each([
    [
      'ENOTDIR',
      'lstat',
      '.oddsmith/control',
      '.oddsmith/control: something on the way to it is no folder (ENOTDIR)',
    ],
    ['EACCES', 'open', '/runs/x', '/runs/x: permission is denied (EACCES)'],
    ['ENOENT', 'uv_cwd', undefined, 'the working directory is gone: change to one that exists'],
  ])('tells what the operating system refuses, without a stack: %s of %s', (code, syscall, path, text) => {
    const error = Object.assign(new Error('refused'), { code, syscall, path });
    expect([describeFailure(error), exitCodeOf(error)]).toEqual([text, EXIT.usage]);
  });

  it('takes a file that is not where we left it for a bug', () => {
    const error = Object.assign(new Error('gone'), { code: 'ENOENT', syscall: 'open', path: '/runs/x' });
    expect([describeFailure(error).split('\n')[0], exitCodeOf(error)]).toEqual([
      'internal error: Error: gone',
      EXIT.internal,
    ]);
  });

  it('shows where a bug is', () => {
    expect(describeFailure(new InvariantError('a sum is not zero'))).toMatch(/^internal error: .*\n +at /);
    expect(describeFailure('a thrown text')).toBe('internal error: a thrown text');
  });

  it('shows where it came from whenever it ends as a bug does, whatever its kind', () => {
    expect(describeFailure(new DecimalError('price', 'a decimal', 'x'))).toMatch(
      /^internal error: DecimalError: price: .*\n +at /,
    );
  });
});

describe('a file that cannot be written', () => {
  const failure = (code: string): Error => Object.assign(new Error('write failed'), { code });

  it('is for a person to mend, with the code of the system', () => {
    const error = cannotWrite('/runs', failure('EACCES'));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toBe('/runs cannot be written (EACCES)');
  });

  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('for want of room says what to do: %s', (code) => {
    expect(cannotWrite('/runs', failure(code), 'make room').message).toBe(
      `/runs cannot be written (${code}, there is no room; make room)`,
    );
  });

  it('leaves other errors as they are', () => {
    const bug = new TypeError('x is not a function');
    expect(cannotWrite('/runs', bug)).toBe(bug);
    const usage = new UsageError('other');
    expect(cannotWrite('/runs', usage)).toBe(usage);
  });
});
