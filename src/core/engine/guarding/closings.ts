import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { EventRecord } from '../../mirror/events/catalogue.js';
import type { Mirror } from '../../mirror/mirror.js';
import {
  type Closing,
  preCloseChangesAt,
  preCloseRestriction,
  type Restriction,
} from '../../risk/quote-restriction.js';
import type { EngineOptions } from '../options.js';

const LONG_AGO = 0 as Micros;

/** What guards leave of a market's quotes. */
export interface Guarded {
  readonly restriction: Restriction;
  /** When time alone changes the restriction, by our clock; null when it does not. */
  readonly changesAt: Micros | null;
}

/** What the closes of a market ask for. */
export class Closings {
  constructor(
    private readonly options: Pick<EngineOptions, 'quoting' | 'informationWindows'>,
    private readonly mirror: Mirror,
  ) {}

  of(market: MarketId, now: Micros): Guarded {
    const closings = this.closingsOf(this.mirror.market(market).event, this.mirror.betEnd(market));
    const { preClose } = this.options.quoting;
    const { venueClock } = this.mirror;
    const venueNow = venueClock.at(now);
    const next = preCloseChangesAt(closings, preClose, venueNow);
    return {
      restriction: preCloseRestriction(closings, preClose, venueNow),
      changesAt: next === null ? null : venueClock.ours(next),
    };
  }

  private closingsOf(event: Readonly<EventRecord>, betEnd: Micros | null): readonly Closing[] {
    const { atEventStart, whenLive } = this.options.quoting.preClose;
    const closings: Closing[] = [];
    if (betEnd !== null) closings.push({ at: betEnd, until: null, reason: 'closing-soon' });
    if (atEventStart && event.eventStart !== null)
      closings.push({ at: event.eventStart, until: null, reason: 'event-started' });
    if (whenLive && event.isLive) closings.push({ at: LONG_AGO, until: null, reason: 'event-live' });
    for (const { from, to } of this.options.informationWindows.get(event.id) ?? [])
      closings.push({ at: from, until: to, reason: 'information-window' });
    return closings;
  }
}
