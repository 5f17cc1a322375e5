export { parseNeutral, readNeutralRecording } from './neutral.js';
export { writeNeutralLine } from './neutral-writer.js';
export { RecordingError } from './recording-error.js';
