import type { EventDescription } from '../../../src/domain/market.js';
import type { SurveyedMarket } from '../../../src/storage/index.js';

/** A recorded market as an event of its own. */
export const describedEvent = ({ eventId, marketId, tickUnits }: SurveyedMarket): EventDescription => ({
  id: eventId,
  title: `Event ${eventId}`,
  slug: '',
  status: 'open',
  resolutionMode: 'exclusive',
  isLive: false,
  betStart: null,
  betEnd: null,
  eventStart: null,
  eventEnd: null,
  markets: [
    {
      id: marketId,
      eventId,
      title: `Market ${marketId}`,
      tickUnits,
      status: 'active',
      disabled: false,
      betStart: null,
      betEnd: null,
      resolution: null,
      longLabel: 'Yes',
      shortLabel: 'No',
    },
  ],
});
