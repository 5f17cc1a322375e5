import { EXIT } from '../domain/errors.js';
import { SHOW_CURSOR } from './screen/terminal.js';
import { Interrupted } from '../runs/interruption.js';

/** Through npm one Ctrl-C arrives twice within a millisecond: only a later one is a second one. */
const SECOND_COUNTS_AFTER_MS = 500;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Of a process that has a terminal: it was closed, which stops. Of any other: its file is to be read anew. */
const HANG_UP = 'SIGHUP';
const KILL_SIGNAL = 'SIGUSR2';

/**
 * SIGINT, SIGTERM and SIGHUP (the terminal was closed) of one run, SIGHUP without a terminal, which reloads, and SIGUSR2,
 * which latches the kill switch; heard from the moment this is made until the process ends: the double of a signal may come when all is closed, and one that
 * nobody hears kills.
 */
export interface StopSignals {
  /** Calls back on the first signal, at once when it has come already. */
  onStop(callback: (signal: string) => void): void;
  /** Calls back on every SIGUSR2, at once when one has come that nobody has taken. */
  onKill(callback: KillListener): void;
  /** Calls back on every SIGHUP of a process without a terminal. */
  onReload(callback: () => void): void;
  /** What was to be stopped is over: signals do what they do to any process. */
  release(): void;
}

/** @returns whether the signal need not be remembered for who listens next */
export type KillListener = (signal: string) => boolean;

/** A second signal, at least 500 ms after the first, ends the process at once (130). @param forced last words */
export function hearStopSignals(forced: string): StopSignals {
  let first: { readonly signal: string; readonly at: number } | null = null;
  let callback: (signal: string) => void = () => undefined;
  const handle = (signal: NodeJS.Signals): void => {
    const at = performance.now();
    if (first === null) {
      first = { signal, at };
      callback(signal);
    } else if (at - first.at >= SECOND_COUNTS_AFTER_MS) {
      if (process.stdout.isTTY) process.stdout.write(SHOW_CURSOR);
      process.stderr.write(`${forced}\n`);
      process.exit(EXIT.forced);
    }
  };
  let isUntaken = false;
  let killListener: KillListener = () => false;
  const handleKill = (): void => void (isUntaken = !killListener(KILL_SIGNAL));
  let reloadListener: (() => void) | null = null;
  const handleHangUp = (signal: NodeJS.Signals): void => {
    if (reloadListener === null || hasTerminal()) handle(signal);
    else reloadListener();
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  process.on(HANG_UP, handleHangUp);
  process.on(KILL_SIGNAL, handleKill);
  return {
    onStop: (given) => {
      callback = given;
      if (first !== null) given(first.signal);
    },
    onKill: (given) => {
      killListener = given;
      if (isUntaken) handleKill();
    },
    onReload: (given) => {
      reloadListener = given;
    },
    release: () => {
      for (const signal of SIGNALS) process.off(signal, handle);
      process.off(HANG_UP, handleHangUp);
      process.off(KILL_SIGNAL, handleKill);
    },
  };
}

/** One run among several that hear the same signals. */
interface Hearing {
  stop: (signal: string) => void;
  kill: KillListener;
  reload: () => void;
  /** A kill that it has not taken. */
  untaken: string | null;
}

/** The same signals for several runs: each hears all of them. @returns makes the signals of one run */
export function sharedSignals(signals: StopSignals): () => StopSignals {
  const all: Hearing[] = [];
  let stopped: string | null = null;
  let killed: string | null = null;
  signals.onStop((signal) => {
    stopped = signal;
    for (const { stop } of all) stop(signal);
  });
  signals.onKill((signal) => {
    killed = signal;
    for (const one of all) if (!one.kill(signal)) one.untaken = signal;
    return all.length > 0;
  });
  signals.onReload(() => all.forEach(({ reload }) => reload()));
  return () => {
    const one: Hearing = {
      stop: () => undefined,
      kill: () => false,
      reload: () => undefined,
      untaken: killed,
    };
    all.push(one);
    return {
      onStop: (callback) => {
        one.stop = callback;
        if (stopped !== null) callback(stopped);
      },
      onKill: (callback) => {
        one.kill = callback;
        if (one.untaken !== null && callback(one.untaken)) one.untaken = null;
      },
      onReload: (callback) => {
        one.reload = callback;
      },
      release: () => void all.splice(all.indexOf(one), 1),
    };
  };
}

const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

/**
 * Work that is worth nothing unless it is whole.
 * @param lastWords what a person who stops it is told: what is written and what is not
 * @param work      given what is aborted by a signal; it takes away what it wrote and rejects with the reason
 * @param forced    what it is told after a second signal
 * @throws Interrupted after a signal
 */
export async function interruptible<Result>(
  lastWords: string,
  work: (stop: AbortSignal) => Promise<Result>,
  forced = 'stopped at once; files that end in .new are worth nothing',
): Promise<Result> {
  const stop = new AbortController();
  const signals = hearStopSignals(forced);
  signals.onStop(() => stop.abort(new Interrupted(`interrupted: ${lastWords}`)));
  try {
    return await work(stop.signal);
  } finally {
    // After a signal its double may still come.
    if (!stop.signal.aborted) signals.release();
  }
}
