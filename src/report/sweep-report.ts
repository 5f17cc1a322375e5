import type { PairedJudgement } from '../analytics/comparison.js';

/** What a sweep came to, as plain JSON. Profits in currency, under the scenario of the headline; times in microseconds. */
export interface SweepReport {
  readonly format: 4;
  readonly id: string;
  /** The configuration file, without its folder. */
  readonly title: string;
  /** What was laid over the file before anything was tried: `path=value`, without the section `sweep` and without secrets. */
  readonly overrides: readonly string[];
  readonly method: string;
  readonly splits: string;
  readonly seed: number;
  readonly currency: string;
  /** Configurations tried; the file as it is comes on top. */
  readonly tried: number;
  readonly parameters: readonly string[];
  /** In the order of profits and fills. */
  readonly scenarios: readonly string[];
  /** The scenario that ranks and tests count. */
  readonly headline: string;
  readonly pieces: readonly SweptPiece[];
  /** What the scores are. */
  readonly objective: SweptObjective;
  /** null where every configuration failed. */
  readonly best: SweptBest | null;
  /** By place, as folds and ranks name them. */
  readonly candidates: readonly SweptCandidate[];
  /** By training: best mean rank first. */
  readonly ranking: readonly SweptRank[];
  readonly folds: readonly SweptFold[];
  /** What whoever reads the figures has to know, in sentences: tests in which nothing was chosen, or in which what was chosen failed. */
  readonly remarks: readonly string[];
  /** What made backtests failures, most frequent first, each with how many: those come last in training. */
  readonly faults: readonly { readonly text: string; readonly backtests: number }[];
  readonly outOfSample: {
    /** What training chose, in the tests in which it chose anything; null where there are none. */
    readonly profit: number | null;
    /** The file as it is, in the same tests. */
    readonly base: number | null;
    /** What stopped the file as it is, on any piece. */
    readonly baseStoppedBy: readonly SweptStop[];
    /** The two, event by event. */
    readonly events: readonly SweptEvent[];
    readonly judgement: PairedJudgement;
  };
}

export interface SweptObjective {
  /** As the configuration names it. */
  readonly name: string;
  /** Its name for people, with its parameters. */
  readonly text: string;
  /** Empty: a plain number. */
  readonly unit: string;
}

/** The best score on all pieces, and what of it may be luck: it is the best of many. */
export interface SweptBest {
  /** Its place. */
  readonly candidate: number;
  readonly score: number;
  /** What the best of as many configurations without any edge comes to. */
  readonly expectedMaximum: number;
  /** Score less expected maximum. */
  readonly deflated: number;
  /** How often configurations without any edge reach the score. */
  readonly chance: number;
  /** No conclusion where fewer than 30 days and underlyings were seen. */
  readonly verdict: 'better than luck' | 'no better than luck' | 'no conclusion';
}

/** A stretch of an event that is traded by itself. */
export interface SweptPiece {
  readonly event: string;
  /** Day and underlying: pieces that share both are one piece of evidence. */
  readonly cluster: string;
  /** Microseconds. */
  readonly from: number;
  /** Not part of it. */
  readonly to: number;
}

/** The values of the parameters, and on each piece a profit, a count of fills and what stopped quoting for each scenario. */
export interface SweptCandidate {
  readonly values: readonly (string | number | boolean | null)[];
  readonly profits: readonly (readonly number[])[];
  readonly fills: readonly (readonly number[])[];
  /** Rules of guards, as `report.json` has them, `strategy-fault`, and an end that was not clean, as `orders-may-remain`. */
  readonly stops: readonly (readonly (readonly string[])[])[];
  /** What makes it a failure there, a line each: strategies that were stopped, a refusal of the venue, an end that was not clean. */
  readonly faults: readonly (readonly (readonly string[])[])[];
}

export interface SweptStop {
  readonly rule: string;
  /** On how many pieces. */
  readonly pieces: number;
}

export interface SweptRank {
  readonly candidate: number;
  /** Mean over folds of the place among all; 1 is the best. null where training chose nothing in any fold: it ranked nothing either. */
  readonly meanTrainRank: number | null;
  readonly meanTestRank: number;
  /** By the objective, on every piece. */
  readonly score: number;
  /** Folds in which training chose it. */
  readonly timesChosen: number;
  /** On everything that is tested in some fold. */
  readonly testProfit: number;
  /** On every piece: what a look at all recordings alone would show. */
  readonly allProfit: number;
  /** As in {@link SweptCandidate.stops}: what stopped it on any piece in any scenario: it is not what the configuration would have come to. */
  readonly stoppedBy: readonly SweptStop[];
}

/** One choice and its test; places of pieces. */
export interface SweptFold {
  readonly train: readonly number[];
  readonly test: readonly number[];
  /** null where every candidate failed in training, with the profits of what was chosen. */
  readonly chosen: number | null;
  readonly trainProfit: number | null;
  readonly testProfit: number | null;
  /** Of the file as it is, in the same test. */
  readonly baseProfit: number;
}

export interface SweptEvent {
  readonly event: string;
  readonly cluster: string;
  readonly base: number;
  readonly chosen: number;
}
