import type {
  FaultPlan,
  FaultRule,
  FaultSchedule,
  FrameFault,
  RequestFault,
} from '../../venues/simulated/models/faults.js';
import { faultSchedule } from '../../venues/simulated/models/faults.js';
import type { Random } from '../../core/ports/random.js';

/** The faults in force: the plan of the configuration until an administrator replaces it. */
export class FaultDesk {
  private schedule: FaultSchedule;

  /** @throws RangeError when a rule cannot be */
  constructor(
    plan: FaultPlan,
    private readonly random: Random,
  ) {
    this.schedule = faultSchedule(plan, random);
  }

  /** All counts begin again. @throws RangeError when a rule cannot be; the old plan stays then */
  replace(plan: FaultPlan): void {
    this.schedule = faultSchedule(plan, this.random);
  }

  get touchesFrames(): boolean {
    return this.schedule.touchesFrames;
  }

  ofRequest(method: string, path: string): FaultRule<RequestFault> | null {
    return this.schedule.ofRequest(method, path);
  }

  ofFrame(channel: string): FaultRule<FrameFault> | null {
    return this.schedule.ofFrame(channel);
  }
}
