export { BlockBudget } from './decoded/block-budget.js';
export {
  decodedRecording,
  openRecording,
  openShared,
  openTogether,
  type RecordingSource,
  type SharedRecording,
} from './decoded/recording.js';
export { withOffsets } from './decoded/line-offset.js';
export { refuseOverlaps, type ToldMarket, type ToldRecording } from './decoded/overlaps.js';
export type { SurveyedMarket } from './decoded/survey.js';
export { isOwnTape } from './decoded/recording-form.js';
export { recordingWindows } from './decoded/recording-windows.js';
export { decodeRecording } from './decoded/recording-file.js';
export {
  changeOf,
  cutOf,
  ROW,
  statusOf,
  type StatusWord,
  takerOf,
  type TapeBlock,
} from './decoded/tape-block.js';
export { parseNeutral, readNeutralRecording } from './neutral.js';
export { writeNeutralLine } from './neutral-writer.js';
export { engineOptionsFrom, type EngineStart, engineStartOf } from './own/engine-start.js';
export {
  type DecisionLine,
  type HeadRecord,
  type NamedMarket,
  type RestRecord,
  type StrategyFile,
  TAPE_VERSION,
  type TapeLine,
} from './own/records.js';
export { type CutOptions, cutTape } from './own/cut.js';
export { gapNotes, isGap } from './own/gaps.js';
export { importNeutral } from './own/import-neutral.js';
export { mergeTapes } from './own/merge.js';
export { exportParquet } from './parquet/export.js';
export { type Column, ParquetTable, type Row } from './parquet/table.js';

export type { SilentTime, TapeSurvey } from './own/survey.js';
export { surveyTape } from './own/survey-tape.js';
export { type KeptLines, keptOf, tapeEndOf } from './own/tape-end.js';
export type { BookMoment, Happening } from './others/happenings.js';
export type { OthersLevel } from './others/others-side.js';
export type { TapedOrderNews, TapedOrder } from './others/taped-orders.js';
export { type RunStart, TapeReading } from './others/tape-reading.js';
export { describePlace, TapeError } from './own/tape-error.js';
export { endingNote, type PlacedLine, type TapeEnding, TapeReader } from './own/tape-reader.js';
export { TapeWriteError, TapeWriter } from './own/tape-writer.js';
export { RecordingError } from './recording-error.js';
export { readRunFile, type RunFile, writeRunFile } from './run-file.js';
