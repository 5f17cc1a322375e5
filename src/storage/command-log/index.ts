/** What is kept of a durable exchange: its commands, and snapshots of what they came to. */
export { CommandLogError, readCommands } from './command-log.js';
export { FileCommandLog, type SegmentSize } from './command-log.js';
export { prepareFolder, prune, readBase, readBeginning, writeBeginning } from './folder.js';
export { writeSnapshot } from './folder.js';
