import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';
import type { EventRecord } from '../../mirror/events/catalogue.js';
import type { Mirror } from '../../mirror/mirror.js';
import {
  type Closing,
  preCloseChangesAt,
  preCloseStance,
  type Stance,
} from '../../risk/quote-restriction.js';
import type { EngineOptions } from '../options.js';

const LONG_AGO = 0 as Micros;

/** What guards leave of a market's quotes. */
export interface Guarded {
  readonly stance: Stance;
  /** When time alone changes the stance, by our clock; null when it does not. */
  readonly changesAt: Micros | null;
}

/** The stance of a market as of its dates and of what the venue said of its event; good until either changes. */
interface Known extends Guarded {
  readonly betEnd: Micros | null;
  readonly eventStart: Micros | null;
  readonly isLive: boolean;
  /** Of the venue's clock, by which closes come. */
  readonly ahead: number;
}

/** What the closes of every market ask for. Looked at with every book, so it is computed only when it may change. */
export class Closings {
  private readonly known = new Map<MarketId, Known>();

  constructor(
    private readonly options: Pick<EngineOptions, 'quoting' | 'informationWindows'>,
    private readonly mirror: Mirror,
  ) {}

  of(market: MarketId, now: Micros): Guarded {
    const { event } = this.mirror.market(market);
    const betEnd = this.mirror.betEnd(market);
    const known = this.known.get(market);
    const { ahead } = this.mirror.venueClock;
    if (known !== undefined && known.ahead === ahead && isCurrent(known, event, betEnd, now)) return known;
    const fresh = this.compute(event, betEnd, now);
    this.known.set(market, fresh);
    return fresh;
  }

  private compute(event: Readonly<EventRecord>, betEnd: Micros | null, now: Micros): Known {
    const closings = this.closingsOf(event, betEnd);
    const { preClose } = this.options.quoting;
    const { eventStart, isLive } = event;
    const { venueClock } = this.mirror;
    const venueNow = venueClock.at(now);
    const next = preCloseChangesAt(closings, preClose, venueNow);
    const changesAt = next === null ? null : venueClock.ours(next);
    const stance = preCloseStance(closings, preClose, venueNow);
    return { betEnd, eventStart, isLive, ahead: venueClock.ahead, changesAt, stance };
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

const isCurrent = (
  known: Known,
  { eventStart, isLive }: Readonly<EventRecord>,
  betEnd: Micros | null,
  now: Micros,
): boolean =>
  known.betEnd === betEnd &&
  known.eventStart === eventStart &&
  known.isLive === isLive &&
  (known.changesAt === null || now < known.changesAt);
