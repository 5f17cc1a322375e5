import type { ConnectionChange } from '../../../domain/inputs.js';
import type { Micros } from '../../../domain/units.js';
import type { Alarms } from './alarms.js';
import type { Notices } from './notices.js';

/** Tells a person how the realtime connection fares. */
export class ConnectionNews {
  private wasLost = false;

  constructor(
    private readonly notices: Notices,
    private readonly alarms: Alarms,
  ) {}

  changed({ state, reason }: ConnectionChange, at: Micros): void {
    if (state === 'refused') return this.alarms.realtimeRefused(reason, at);
    if (state === 'lost') this.lost(reason, at);
    else if (this.wasLost) this.notices.info('connection-back', 'the realtime connection is back', null, at);
    this.wasLost = state === 'lost';
  }

  private lost(reason: string, at: Micros): void {
    const text = `the realtime connection is lost (${reason}); nothing is quoted until it is back and everything was read anew`;
    this.notices.warn('connection-lost', text, null, at);
  }
}
