import type { FaultRule, FrameFault, RequestFault } from '../../../src/venues/simulated/models/faults.js';
import type { Random } from '../../../src/core/ports/random.js';
import { FaultDesk } from '../../../src/exchange-server/faults/request-faults.js';
import { NO_FAULTS } from '../../../src/venues/simulated/models/faults.js';

/** The faults of the venue, counted by kind as they strike. */
export class TalliedFaults extends FaultDesk {
  /** What struck the request last served; null when nothing did. */
  latest: RequestFault | null = null;

  /** @param struck how often each kind struck; counted up */
  constructor(
    random: Random,
    private readonly struck: Map<string, number>,
  ) {
    super(NO_FAULTS, random);
  }

  override ofRequest(method: string, path: string): FaultRule<RequestFault> | null {
    const rule = super.ofRequest(method, path);
    this.latest = rule?.kind ?? null;
    if (rule !== null) this.#count(rule.kind);
    return rule;
  }

  override ofFrame(channel: string): FaultRule<FrameFault> | null {
    const rule = super.ofFrame(channel);
    if (rule !== null) this.#count(rule.kind);
    return rule;
  }

  #count(kind: string): void {
    this.struck.set(kind, (this.struck.get(kind) ?? 0) + 1);
  }
}
