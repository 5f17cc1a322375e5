/** A command of this program as a process of its own, to be stopped, killed and listened to. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../project/small-house.js';
import { until } from '../process/until.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A shell line in which `"$@"` stands for the command, such as one that sets a limit. */
  readonly through?: string;
}

export class Child {
  /** The exit code once it has ended and said everything; null after a signal that ends it. */
  readonly exit: Promise<number | null>;
  #output = '';
  #errors = '';
  #hasEnded = false;

  private constructor(private readonly process: ChildProcess) {
    process.stdout?.on('data', (text: Buffer) => (this.#output += text.toString()));
    process.stderr?.on('data', (text: Buffer) => (this.#errors += text.toString()));
    this.exit = once(process, 'close').then(([code]) => {
      this.#hasEnded = true;
      return code as number | null;
    });
  }

  static start(args: readonly string[], { cwd, env, through }: ChildOptions): Child {
    const command = [process.execPath, MAIN, ...args];
    const [file, ...rest] = through === undefined ? command : ['sh', '-c', through, 'sh', ...command];
    return new Child(
      spawn(file!, rest, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Everything on standard output and standard error so far. */
  get said(): string {
    return this.#output + this.#errors;
  }

  /** Waits for a JSON line of this event, and beyond so many that came before. @throws Error with what it said instead */
  async event(name: string, before = 0): Promise<Readonly<Record<string, unknown>>> {
    const found = (): Readonly<Record<string, unknown>> | undefined => this.events(name)[before];
    const isThere = (): boolean => {
      if (found() === undefined && this.#hasEnded) throw new Error('the process ended');
      return found() !== undefined;
    };
    await until(`the event ${name}`, isThere).catch((cause: unknown) => {
      throw new Error(`no event ${name} in:\n${this.said}`, { cause });
    });
    return found()!;
  }

  events(name: string): readonly Readonly<Record<string, unknown>>[] {
    const whole = this.#output.slice(0, this.#output.lastIndexOf('\n') + 1).split('\n');
    return whole
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ event }) => event === name);
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** @returns the exit code */
  end(name: NodeJS.Signals): Promise<number | null> {
    this.signal(name);
    return this.exit;
  }
}
