/** What happened to the mirror so far in this run; telemetry reads it. */
export interface MirrorCounters {
  framesApplied: number;
  /** Venue time older than the applied one. */
  framesOlder: number;
  framesOfOtherMode: number;
  /** About an event or market that neither configuration nor the venue has named. */
  framesUnplaced: number;
  framesMalformed: number;
  booksOffGrid: number;
  booksMalformed: number;
  booksRead: number;
  witnessesAgreed: number;
  witnessesDisagreed: number;
  /** The past kept did not reach back far enough to judge. */
  witnessesInconclusive: number;
  booksWithdrawn: number;
  statusesNotUnderstood: number;
  readsFailed: number;
}

export const noCounts = (): MirrorCounters => ({
  framesApplied: 0,
  framesOlder: 0,
  framesOfOtherMode: 0,
  framesUnplaced: 0,
  framesMalformed: 0,
  booksOffGrid: 0,
  booksMalformed: 0,
  booksRead: 0,
  witnessesAgreed: 0,
  witnessesDisagreed: 0,
  witnessesInconclusive: 0,
  booksWithdrawn: 0,
  statusesNotUnderstood: 0,
  readsFailed: 0,
});
