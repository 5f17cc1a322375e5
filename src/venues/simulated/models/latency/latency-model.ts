/**
 * How long messages are on their way, microseconds. Each call is one message: a model that draws must be asked once
 * for each, in the order in which they leave.
 */
export interface LatencyModel {
  /** From the venue's publication to the engine. */
  feed(): number;
  /** From the engine's decision to the venue. */
  request(): number;
  /** From the venue's answer to the engine. */
  response(): number;
}

/** The three ways of a message. */
export type Way = keyof LatencyModel;
