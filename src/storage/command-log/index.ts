/** What is kept of a durable exchange: its commands, and snapshots of what they came to. */
export { readBeginning, writeBeginning } from './beginning.js';
export { FileCommandLog, type SegmentSize } from './file-command-log.js';
export { openLog, prepareFolder, prune, readBase, readCommands } from './folder.js';
export { CommandLogError } from './segment.js';
export { writeSnapshot } from './snapshot-file.js';
