/** Tells when a file was saved, also by an editor that puts another file in its place. */
import { watch } from 'chokidar';
import type { Logger } from '../../core/ports/logger.js';

/** An editor may write a file in several goes. */
const SETTLED_MS = 200;

/** @returns a function that ends it */
export function whenSaved(
  file: string,
  logger: Pick<Logger, 'warn'>,
  saved: () => void,
): () => Promise<void> {
  const watcher = watch(file, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: SETTLED_MS / 4 },
  });
  watcher.on('change', saved);
  watcher.on('add', saved);
  watcher.on('error', (error) =>
    logger.warn('the configuration is not watched any more: use oddsmith reload', { file, err: error }),
  );
  return () => watcher.close();
}
