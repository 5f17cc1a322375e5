/** What is kept of a durable exchange: its commands, and snapshots of what they came to. */
export { CommandLogError, readCommands } from './command-files.js';
export { FileCommandLog, type SegmentSize } from './file-command-log.js';
export { prepareFolder, prune, readBase, readBeginning, writeBeginning } from './folder.js';
export { writeSnapshot } from './snapshot-file.js';
