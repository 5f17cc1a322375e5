import type { EngineParts } from '../parts.js';

/** Markets in which something is to be cleared away, whatever comes in. */
interface Unquoted {
  readonly isIdle: boolean;
}

/**
 * Whether no part of the engine has something to do that no date brings: the run is under way, nobody has said anything,
 * nothing is to be read, withdrawn or settled, and nothing is wrong that is looked at with every input.
 */
export function isCalm(parts: EngineParts, unquoted: Unquoted): boolean {
  const { life, killSwitch, notices, mirror, desk, alarms } = parts;
  return (
    life.phase === 'running' &&
    killSwitch.state === null &&
    notices.areDrained &&
    mirror.isIdle &&
    desk.isCalm &&
    alarms.isCalm &&
    unquoted.isIdle
  );
}
