/** Why a strategy cannot go on; its instance is stopped and its quotes are withdrawn, the others go on. */
export interface StrategyFault {
  readonly code: FaultCode;
  /** For people. */
  readonly text: string;
}

/** An instance that quotes nothing until a person resumes. */
export interface StoppedInstance {
  readonly instance: string;
  /** What its strategy calls itself. */
  readonly strategy: string;
  /** Why, for people. */
  readonly fault: string;
}

export type FaultCode =
  /** It threw, or its stream ended with an error. */
  | 'threw'
  /** NaN or an infinity where a number belongs. */
  | 'not-a-number'
  | 'price-out-of-range'
  | 'shares-out-of-range'
  /** A bid that is not below every ask, as stated or after rounding. */
  | 'crossed'
  /** Not the shape of the contract: no ladder, no reason, a promise, a state that is no plain JSON. */
  | 'malformed'
  /** An intent for a market that the instance does not quote. */
  | 'foreign-market'
  /** Its stream completed: nothing would ever move its quotes again. */
  | 'completed'
  /** Its stream emitted while no step was running: a time operator without the engine's scheduler, or a promise. */
  | 'outside-step';

export interface Faulty {
  readonly ok: false;
  readonly fault: StrategyFault;
}

export const faulty = (code: FaultCode, text: string): Faulty => ({ ok: false, fault: { code, text } });

/** Above this a message is cut: what a strategy throws is not ours to trust. */
const MOST_CHARACTERS = 500;

/** What was thrown, in words, and where in the strategy's file; never throws itself, whatever was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown).slice(0, MOST_CHARACTERS);
    const place = placeIn(String(thrown.stack));
    const behind = place === null ? '' : ` (${place})`.slice(-MOST_CHARACTERS);
    return `${thrown.name}: ${thrown.message}`.slice(0, MOST_CHARACTERS - behind.length) + behind;
  } catch {
    return 'something that cannot be described';
  }
}

/** One line of a stack: the address of the file, its name, line and column. */
const FRAME = /^ +at (?:.* \()?((?:file:\/\/)?\/(?:[^/]*\/)*)([^/]+:\d+:\d+)\)?$/;
const OWN_FOLDER = new URL('../..', import.meta.url);

/** The first file of a stack that is neither a library's nor the engine's, which is the strategy's: `mine.ts:12:5`. */
function placeIn(stack: string): string | null {
  for (const line of stack.split('\n')) {
    const [, folder = '', place = ''] = FRAME.exec(line) ?? [];
    const isOurs =
      folder.includes('/node_modules/') || folder.replace('file://', '').startsWith(OWN_FOLDER.pathname);
    if (place !== '' && !isOurs) return place;
  }
  return null;
}
