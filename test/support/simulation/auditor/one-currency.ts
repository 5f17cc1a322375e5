import type { VenueEntry } from '../venue-record.js';
import type { Charter, Rule } from './rule.js';

/** The run trades one currency: what else the account has is none of its business. */
export class OneCurrency implements Rule {
  readonly name = 'traded-another-currency';

  constructor(private readonly charter: Charter) {}

  note(entry: VenueEntry): string | null {
    if (entry.kind !== 'left') return null;
    for (const [, currency] of entry.letter.body.matchAll(/"currency":"(\w+)"/g))
      if (currency !== this.charter.currency)
        return `${entry.letter.endpoint} asked for orders in ${currency}`;
    return null;
  }
}
