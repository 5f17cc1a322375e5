export { parseNeutral, readNeutralRecording } from './neutral.js';
export { RecordingError } from './recording-error.js';
