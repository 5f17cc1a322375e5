import type { OperatorCommand } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Departure } from './departure.js';
import type { EngineParts } from './parts.js';
import { changeTerms } from './guarding/terms-change.js';

type SetParameters = Extract<OperatorCommand, { readonly command: 'set-parameters' }>;

const RESUMED =
  'a person resumed: nothing that latched holds any longer, and markets are quoted as they allow it';
const FENCE_GONE = 'the fence was cleared: markets are quoted as they allow it, but for what else latched';

/** Carries out what a person or the process tells the engine. */
export class Operator {
  constructor(
    private readonly parts: EngineParts,
    private readonly departure: Departure,
  ) {}

  carryOut(command: OperatorCommand, at: Micros): void {
    switch (command.command) {
      case 'start':
        return;
      case 'stop':
        return this.departure.stop(at);
      case 'kill':
        return void this.parts.killSwitch.latch(command.reason, at);
      case 'resume':
        return this.resume(at);
      case 'release':
        return this.release(FENCE_GONE, at);
      case 'set-terms':
        return void changeTerms(this.parts, command, at);
      case 'set-parameters':
        return this.setParameters(command, at);
    }
  }

  /** Whatever stopped quoting is over: the kill switch, the losses until now, what guards latched, faults of strategies. */
  private resume(at: Micros): void {
    const { lossWatch, guards, positions, funds, barredOrders, alarms, options } = this.parts;
    guards.resume();
    barredOrders.lift();
    alarms.ordersMayPass();
    funds.margin.lift();
    lossWatch.accept(positions.profit());
    for (const { instance } of options.instances) instance.resume();
    this.release(RESUMED, at);
  }

  private release(text: string, at: Micros): void {
    this.parts.killSwitch.reset();
    this.departure.resume();
    this.parts.notices.info('resumed', text, null, at);
  }

  private setParameters({ instance: name, values }: SetParameters, at: Micros): void {
    const { options, notices } = this.parts;
    const owner = options.instances.find(({ instance }) => instance.name === name);
    if (owner === undefined) return notices.warn('unknown-instance', `no instance ${name}`, null, at);
    for (const issue of owner.instance.setParameters(values))
      notices.warn('parameter-refused', `${name}.${issue.name}: expected ${issue.expected}`, null, at);
  }
}
