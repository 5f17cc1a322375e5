/** Closed words of the venue, in both spellings where older answers use one letter (facts, "Events and markets"). */
import {
  CURRENCIES,
  EVENT_STATUSES,
  MARKET_STATUSES,
  RESOLUTIONS,
  type Currency,
  type EventStatus,
  type MarketStatus,
  type Position,
  type Resolution,
  type ResolutionMode,
} from '../../../../domain/vocabulary.js';
import { PlacementError } from './placed.js';

const POSITION_SPELLINGS: Readonly<Record<string, Position>> = {
  long: 'long',
  short: 'short',
  l: 'long',
  s: 'short',
};

const EVENT_STATUS_LETTERS: Readonly<Record<string, EventStatus>> = {
  o: 'open',
  s: 'stopped',
  c: 'resolved',
  x: 'cancelled',
  p: 'paused',
  r: 'reversed',
};

/** @throws PlacementError when the word is none of the list */
export function readPosition(word: string, field: string): Position {
  return POSITION_SPELLINGS[word] ?? unknownWord(word, field);
}

/** @throws PlacementError */
export function readEventStatus(word: string, field: string): EventStatus {
  return EVENT_STATUS_LETTERS[word] ?? wordOf(EVENT_STATUSES, word) ?? unknownWord(word, field);
}

/** @throws PlacementError */
export const readMarketStatus = (word: string, field: string): MarketStatus =>
  wordOf(MARKET_STATUSES, word) ?? unknownWord(word, field);

/** A status of either kind, as `market-status-change` carries; null when it is none. */
export const anyStatus = (word: string): EventStatus | MarketStatus | null =>
  wordOf(MARKET_STATUSES, word) ?? wordOf(EVENT_STATUSES, word) ?? EVENT_STATUS_LETTERS[word] ?? null;

/** @throws PlacementError */
export function readResolution(word: string | null | undefined, field: string): Resolution | null {
  if (word === null || word === undefined) return null;
  return POSITION_SPELLINGS[word] ?? wordOf(RESOLUTIONS, word) ?? unknownWord(word, field);
}

/** null where the event does not say. A word nobody knows is taken as non-exclusive: the reading under which more can be lost. */
export function readResolutionMode(word: string | null | undefined): ResolutionMode | null {
  if (word === null || word === undefined) return null;
  return word === 'exclusive' ? 'exclusive' : 'non_exclusive';
}

/** @throws PlacementError */
export const readCurrency = (word: string | undefined, field: string): Currency =>
  currencyOf(word ?? '') ?? unknownWord(word ?? '', field);

/** null when it is none of ours: an account may hold more. */
export const currencyOf = (word: string): Currency | null => wordOf(CURRENCIES, word);

const wordOf = <Word extends string>(words: readonly Word[], word: string): Word | null =>
  words.find((known) => known === word) ?? null;

function unknownWord(word: string, field: string): never {
  throw new PlacementError(`${field}: unknown word ${JSON.stringify(word.slice(0, 32))}`);
}
