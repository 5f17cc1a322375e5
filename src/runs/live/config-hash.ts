import { createHash } from 'node:crypto';
import type { BotSettings } from '../../settings/index.js';

/** Tells a bot's settings from others by sixteen hexadecimal digits; where it trades, with its keys, is left out. */
export const configHash = (settings: BotSettings): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...settings, venue: null, exchange: null }))
    .digest('hex')
    .slice(0, 16);
