import { FIXED_MIRROR_SETTINGS, type MirrorSettings } from '../../../src/core/mirror/settings.js';

/** Of a mirror whose venue caches no books, as a configuration without a word of it makes them. */
export const MIRROR_SETTINGS: MirrorSettings = {
  ...FIXED_MIRROR_SETTINGS,
  mode: 'play_money',
  bookCacheMs: 0,
  witnessEveryMs: 60_000,
  holdingsEveryMs: 60_000,
  balancesEveryMs: 60_000,
};
