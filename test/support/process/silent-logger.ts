import type { Logger } from '../../../src/core/ports/logger.js';

/** A log that nobody reads. */
export const SILENT: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
