export { decodedRecording, openRecording, type RecordingSource } from './decoded/recording.js';
export type { SurveyedMarket } from './decoded/survey.js';
export { decodeRecording } from './decoded/recording-file.js';
export { ROW, statusOf, type StatusWord, takerOf, type TapeBlock } from './decoded/tape-block.js';
export { parseNeutral, readNeutralRecording } from './neutral.js';
export { writeNeutralLine } from './neutral-writer.js';
export { RecordingError } from './recording-error.js';
