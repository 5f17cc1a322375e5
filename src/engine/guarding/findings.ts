import type { Micros } from '../../domain/units.js';
import type { Finding } from '../../mirror/findings.js';
import type { Notices } from './notices.js';

/** Tells a person what the mirror found. */
export function describeFinding(finding: Finding, notices: Notices, at: Micros): void {
  switch (finding.kind) {
    case 'book-unusable':
      return notices.warn(
        'book-unusable',
        `the book has ${finding.reason === 'off-grid' ? 'prices off the configured tick size' : 'malformed levels'}`,
        finding.marketId,
        at,
      );
    case 'witness-disagreed':
      return notices.info(
        'witness-disagreed',
        `a book read over REST differs from the mirror (${finding.inARow} in a row)`,
        finding.marketId,
        at,
      );
    case 'status-not-understood':
      return notices.warn(
        'status-not-understood',
        'a status message could not be read; quoting waits',
        null,
        at,
      );
    case 'channel-refused':
      return notices.say(
        {
          level: 'error',
          code: 'channel-refused',
          text: `the channel ${finding.channel} was refused: ${finding.reason}`,
          marketId: null,
        },
        at,
      );
  }
}
