import { join } from 'node:path';

/** Where the folders of runs are, those of backtests among them. */
export const runsFolder = (stateDir: string): string => join(stateDir, 'runs');

/** Where the results of sweeps are. */
export const sweepsFolder = (stateDir: string): string => join(stateDir, 'sweeps');

/** Where the catalogue of runs is, a Parquet file for each. */
export const catalogueFolder = (stateDir: string): string => join(stateDir, 'catalogue');

/** Where the tapes of public channels are, a folder for each configuration file. */
export const tapesFolder = (stateDir: string): string => join(stateDir, 'tapes');

/** Where the files of a run are kept: tape and report side by side. */
export const runFolder = (stateDir: string, runId: string): string => join(runsFolder(stateDir), runId);
