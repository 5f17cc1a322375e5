/** The kinds of signals, and how a strategy declares one. */
import { param, type ParameterDeclarations, type ParameterValues } from '../parameters.js';

/** Parameters of every kind. */
export const OF_ALL = {
  required: param.switch({ default: false, help: 'whether the market halts while the signal is missing' }),
  maxAgeMs: param.ms({ default: 0, help: 'an older signal counts as missing; 0: any age' }),
};

const space = param.choice({ values: ['price', 'logit'], default: 'price', help: 'what moves' });

/** Parameters by kind. */
export const KINDS = {
  volatility: {
    ...OF_ALL,
    space,
    method: param.choice({
      values: ['ewma', 'bipower', 'local'],
      default: 'ewma',
      help: 'mean of squares, the same without jumps, or from the price and the time left',
    }),
    halfLifeMs: param.ms({ default: 60_000, min: 1, help: 'a move this old counts half' }),
    sampleMs: param.ms({ default: 1_000, min: 1, help: 'time from one sample of the mid to the next' }),
    horizonMs: param.ms({
      default: 3_600_000,
      min: 1_000,
      max: 31_536_000_000,
      help: 'local: time left when no closing time is known',
    }),
    leastMs: param.ms({ default: 60_000, min: 1_000, help: 'local: time left is never taken as less' }),
  },
  microprice: {
    ...OF_ALL,
    levels: param.count({ default: 1, min: 1, max: 20, help: 'levels of each side that weigh' }),
  },
  orderFlow: {
    ...OF_ALL,
    halfLifeMs: param.ms({ default: 10_000, min: 1, help: 'a change this old counts half' }),
  },
  takerFlow: {
    ...OF_ALL,
    halfLifeMs: param.ms({ default: 30_000, min: 1, help: 'a trade this old counts half' }),
  },
  markOut: {
    ...OF_ALL,
    horizonMs: param.ms({ default: 5_000, min: 1, help: 'a fill is judged by the mid so long after it' }),
    weight: param.ratio({ default: 0.2, min: 0.001, max: 1, help: 'weight of the newest mark-out' }),
    halfLifeMs: param.ms({
      default: 300_000,
      min: 1_000,
      help: 'without fills the average halves in so long',
    }),
  },
  jump: {
    ...OF_ALL,
    deviations: param.ratio({
      default: 4,
      min: 0,
      max: 100,
      help: 'standard deviations of the time before that a jump exceeds',
    }),
    least: param.probability({ default: 0.01, min: 0.0001, help: 'a smaller move is no jump' }),
    windowMs: param.ms({ default: 2_000, min: 1, help: 'a jump happens within so long' }),
    halfLifeMs: param.ms({ default: 60_000, min: 1, help: 'a move this old counts half in the deviation' }),
    sampleMs: param.ms({ default: 1_000, min: 1, help: 'time from one sample of the mid to the next' }),
  },
  external: OF_ALL,
} satisfies Record<string, ParameterDeclarations>;

export type Kind = keyof typeof KINDS;

/** A signal as a strategy declares it: its kind, and the parameters that are not at their defaults. */
export type SignalDeclaration = {
  readonly [K in Kind]: { readonly kind: K } & Partial<ParameterValues<(typeof KINDS)[K]>>;
}[Kind];

/** Signals by name. A name whose declaration is undefined is not declared. */
export type SignalDeclarations<N extends string = string> = {
  readonly [K in N]?: SignalDeclaration | undefined;
};
