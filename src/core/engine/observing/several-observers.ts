import type { EngineObserver } from './observer.js';

/** Every kind of news, so that one which is forgotten here does not compile. */
const KINDS: Readonly<Record<keyof EngineObserver, true>> = {
  took: true,
  heard: true,
  looked: true,
  refused: true,
  planned: true,
  counted: true,
  decided: true,
  did: true,
  book: true,
  standing: true,
  filled: true,
  volume: true,
  transferred: true,
  stopped: true,
  held: true,
  resolved: true,
  reversed: true,
  requested: true,
  answered: true,
  joined: true,
};

type Teller = (...news: unknown[]) => void;

/**
 * One observer that tells several, in this order. It hears only what one of them hears, so that nothing is made for
 * nobody.
 */
export function severalObservers(observers: readonly EngineObserver[]): EngineObserver {
  const together: Partial<Record<keyof EngineObserver, Teller>> = {};
  for (const kind of Object.keys(KINDS) as (keyof EngineObserver)[]) {
    const tellers = observers.flatMap((observer) => tellerOf(observer, kind) ?? []);
    if (tellers.length > 0) together[kind] = (...news) => tellers.forEach((tell) => tell(...news));
  }
  return together;
}

const tellerOf = (observer: EngineObserver, kind: keyof EngineObserver): Teller | undefined =>
  (observer[kind] as Teller | undefined)?.bind(observer);
