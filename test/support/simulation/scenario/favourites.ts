/** A cup of two favourites: what its markets trade at adds up to about one, so that bids there may add up to more. */
import type { ExchangeSettings } from '../../../../src/settings/index.js';
import type { House } from './house.js';
import { CUP } from './markets.js';

/** Traders take outcomes that need not exclude each other for as likely as not. At most one of them wins all the same. */
export const withFavourites = (house: House): House => ({
  ...house,
  opinion: (settings) => ({ ...settings, events: settings.events.map(asLikelyAsNot) }),
});

const asLikelyAsNot = (event: ExchangeSettings['events'][number]): ExchangeSettings['events'][number] =>
  event.id === CUP ? { ...event, resolutionMode: 'non_exclusive' } : event;
