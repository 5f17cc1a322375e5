/**
 * Makes a folder, and those above it that are missing; one that is there stays as it is.
 * @throws UsageError naming what takes none
 */
export type MakeFolder = (path: string) => void;
