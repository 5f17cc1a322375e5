import type { NoticeEffect } from '../../domain/effects.js';
import type { Logger } from '../../core/ports/logger.js';

/** A line of the engine's in the log, at the notice's own level, with its code and market as members. */
export function logNotice(logger: Logger, { level, code, text, marketId }: NoticeEffect): void {
  const members = marketId === null ? { code } : { code, marketId };
  if (level === 'error') logger.error(text, members);
  else if (level === 'warning') logger.warn(text, members);
  else logger.info(text, members);
}
