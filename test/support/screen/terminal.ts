import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** A command running in a pseudo-terminal, seen and handled as a person would. */
export interface Terminal {
  /** Everything printed so far. */
  output(): string;
  /** Resolves when the output matches; rejects with the output when the command ends before. */
  shows(pattern: RegExp): Promise<void>;
  /** Presses keys; `\x03` is Ctrl-C, which the terminal sends to every process in the foreground. */
  press(keys: string): void;
  /** Sends a signal to the command alone, not to what it started. */
  signal(name: NodeJS.Signals): void;
  /** The exit code, once the command and its output have ended. */
  readonly exit: Promise<number | null>;
  /** Ids of processes that the command started, directly or not, and that still run. */
  leftovers(): number[];
}

/** Inherited by every process below the command, whatever becomes of its parent. */
const MARK = 'ODDSMITH_TEST_TERMINAL';

/** Opens a pseudo-terminal with `script`, part of every Linux; what still runs when the test ends is killed. */
export function openTerminal(command: string, cwd: string): Terminal {
  const mark = randomUUID();
  const child = inPseudoTerminal(command, { cwd, env: { ...process.env, [MARK]: mark } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const exit = new Promise<number | null>((settle) => child.on('close', settle));
  const leftovers = (): number[] => processesMarked(mark).filter((pid) => pid !== child.pid);
  onTestFinished(() => processesMarked(mark).forEach(kill));
  return {
    output: () => output,
    shows: (pattern) =>
      new Promise((settle, fail) => {
        const check = (): void => void (pattern.test(output) && settle());
        child.stdout.on('data', check);
        check();
        void exit.then(() => fail(new Error(`ended without showing ${pattern}:\n${output}`)));
      }),
    press: (keys) => void child.stdin.write(keys),
    signal: (name) => childrenOf(child.pid).forEach((pid) => process.kill(pid, name)),
    exit,
    leftovers,
  };
}

/** `exec`, so that the only child of `script` is the command itself. */
function inPseudoTerminal(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const flags = ['--quiet', '--flush', '--return', '--command', `exec ${command}`, '/dev/null'];
  return spawn('script', flags, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended since it was listed.
  }
}

function childrenOf(pid: number | undefined): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

function processesMarked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(`${MARK}=${mark}`))
    .map(Number);
}

/** Empty for a process that ended since it was listed, or belongs to someone else. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
