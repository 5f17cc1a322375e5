/** Where a bot keeps what outlives it, unless its file says otherwise; relative to the working directory. */
export const DEFAULT_STATE_DIR = '.oddsmith';
