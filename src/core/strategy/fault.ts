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

/** Those that a fault stopped. */
export const stoppedOf = (
  instances: readonly {
    readonly name: string;
    readonly strategy: { readonly name: string };
    readonly fault: StrategyFault | null;
  }[],
): readonly StoppedInstance[] =>
  instances.flatMap(({ name, strategy, fault }) =>
    fault === null ? [] : [{ instance: name, strategy: strategy.name, fault: fault.text }],
  );

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
  /** It took too long to answer, too often. */
  | 'too-slow'
  /** Its stream emitted while no step was running: a time operator without the engine's scheduler, or a promise. */
  | 'outside-step';

export interface Faulty {
  readonly ok: false;
  readonly fault: StrategyFault;
}

export const faulty = (code: FaultCode, text: string): Faulty => ({ ok: false, fault: { code, text } });

/** For the log. */
export const stoppedText = (instance: string, { text, code }: StrategyFault): string =>
  `strategy instance ${instance} stopped: ${text} (${code}); its quotes are withdrawn`;
