import { afterEach, beforeEach } from 'vitest';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;
let before: Readonly<Record<string, readonly NodeJS.SignalsListener[]>> = {};

/** Takes away after each test whatever has begun to listen to signals in it. */
export function forgetStopSignals(): void {
  beforeEach(() => {
    before = Object.fromEntries(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  });
  afterEach(() => {
    for (const signal of SIGNALS)
      for (const listener of process.listeners(signal))
        if (!before[signal]!.includes(listener)) process.removeListener(signal, listener);
  });
}

/** Signals that something has begun to listen to since the test began. */
export const heardSignals = (): readonly string[] =>
  SIGNALS.filter((signal) => process.listeners(signal).length > before[signal]!.length);
