import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';
import { backOffMs, describeFailure, type ValueSink } from './source-parts.js';
import { LineSplitter } from './stated-values.js';

export interface ProcessOutputOptions {
  readonly command: readonly string[];
  /** Working directory. */
  readonly folder: string;
  /** Without what the program must not know. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly sink: ValueSink;
}

const FIRST_PAUSE_MS = 1_000;
/** A program that ran so long has not failed at its start. */
const LONG_US = 60_000_000;
/** It may finish what it does before it is killed. */
const GRACE_MS = 1_000;

/**
 * Runs a program and reads its standard output; it is started again when it ends, with growing pauses.
 * @returns ends the program and everything that it started
 */
export function readProcess(options: ProcessOutputOptions): () => Promise<void> {
  const runner = new ProcessRunner(options);
  runner.start();
  return () => runner.close();
}

class ProcessRunner {
  private child: ChildProcess | null = null;
  private failures = 0;
  private startedAt = 0 as Micros;
  private cancelRestart = (): void => undefined;
  private isOver = false;
  private onGone = (): void => undefined;
  /** Its last line on standard error. */
  private lastWords = '';
  /** A bot that breaks down takes the program with it. */
  private readonly killNow = (): void => this.signal('SIGKILL');

  constructor(private readonly options: ProcessOutputOptions) {}

  start(): void {
    const { command, folder, environment, clock, sink } = this.options;
    const [program = '', ...rest] = command;
    this.startedAt = clock.now();
    this.lastWords = '';
    sink.begin();
    const lines = new LineSplitter();
    // A group of its own, so that what a shell started ends with it. Its standard input ends with the bot.
    const child = spawn(program, rest, { cwd: folder, env: environment, detached: true, stdio: 'pipe' });
    this.child = child;
    process.once('exit', this.killNow);
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (bytes: Buffer) => {
      if (this.isOver) return;
      sink.up();
      sink.take(lines.push(bytes), null);
    });
    child.stderr.on('data', (bytes: Buffer) => this.heard(bytes));
    let failure: unknown = null;
    child.on('error', (error) => (failure = error));
    // What it started would hold its output open.
    child.on('exit', this.killNow);
    child.on('close', (code, signal) => {
      this.ended(failure === null ? `ended with ${signal ?? `code ${code}`}` : describeFailure(failure));
    });
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.cancelRestart();
    const { child } = this;
    if (child === null) return;
    const gone = new Promise<void>((resolve) => (this.onGone = resolve));
    this.signal('SIGTERM');
    // What left its group may hold them open.
    child.stdout?.destroy();
    child.stderr?.destroy();
    const { clock } = this.options;
    const cancel = clock.at((clock.now() + GRACE_MS * 1_000) as Micros, this.killNow);
    await gone;
    cancel();
  }

  private heard(bytes: Buffer): void {
    const line = bytes.toString('utf8').trim().split('\n').at(-1)?.trim() ?? '';
    if (line !== '') this.lastWords = line.slice(0, 200);
  }

  private ended(how: string): void {
    const { clock, sink, command } = this.options;
    this.child = null;
    process.off('exit', this.killNow);
    this.onGone();
    if (this.isOver) return;
    if (clock.now() - this.startedAt > LONG_US) this.failures = 0;
    this.failures += 1;
    const pauseMs = backOffMs(this.failures, FIRST_PAUSE_MS);
    const words = this.lastWords === '' ? '' : `: ${this.lastWords}`;
    sink.down(`${command[0]} ${how}${words}`);
    this.cancelRestart = clock.at((clock.now() + pauseMs * 1_000) as Micros, () => this.start());
  }

  private signal(name: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch {
      // Nothing of it is left.
    }
  }
}
