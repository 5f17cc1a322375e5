export {
  BlockBudget,
  isOwnTape,
  openRecording,
  openShared,
  openTogether,
  type RecordingSource,
  type SharedRecording,
} from './recordings/recording.js';
export { refuseOverlaps, type RecordedSpan, type RecordedSpans } from './recordings/survey.js';
export type { SurveyedMarket } from './recordings/survey.js';
export { modeOf } from './recordings/own-recording.js';
export { recordingWindows } from './recordings/recording-windows.js';
export { ROW, statusOf, takerOf, type TapeBlock } from './recordings/blocks.js';
export { decodeRecording, parseNeutral, readNeutralRecording } from './recordings/neutral.js';
export {
  engineOptionsFrom,
  type EngineStart,
  engineStartOf,
  instanceStartOf,
  type InstanceRecord,
  type InstanceStart,
} from './tape/records.js';
export {
  type DecisionLine,
  type HeadRecord,
  type NamedMarket,
  type RestRecord,
  type StrategyFile,
  TAPE_VERSION,
  type TapeLine,
} from './tape/records.js';
export { type CutOptions, cutTape } from './tape/cut.js';
export { gapNotes, isGap } from './tape/tape-line.js';
export { importNeutral, mergeTapes } from './tape/merge.js';
export { exportParquet } from './parquet/export.js';
export { type Column, ParquetTable, type Row } from './files/parquet-table.js';

export type { SilentTime, TapeSurvey } from './tape/survey.js';
export { surveyTape } from './tape/survey.js';
export { type KeptLines, keptOf, tapeEndOf } from './tape/tape-reader.js';
export type { BookChange, TapeEvent } from './tape-market/market-reading.js';
export type { OthersLevel } from './tape-market/market-reading.js';
export type { TapedOrderNews, TapedOrder } from './tape-market/own-orders.js';
export { type RunStart, TapeReading } from './tape-market/tape-reading.js';
export { describePlace, RecordingError, TapeError } from './tape/tape-files.js';
export { endingNote, type PlacedLine, type TapeEnding, TapeReader } from './tape/tape-reader.js';
export { TapeWriteError, TapeWriter } from './tape/tape-writer.js';
export { readRunFile, type RunFile, writeRunFile } from './recordings/run-file.js';
