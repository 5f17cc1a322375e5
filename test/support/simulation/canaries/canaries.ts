/**
 * Fourteen classic bugs of bots like ours, put into a simulated bot through its seams. Each must be found: an auditor that
 * finds nothing may be looking at nothing.
 */
import { NO_WINDOWS } from '../../../../src/core/risk/guard-windows.js';
import { type Seam, UNCHANGED } from '../seam.js';
import {
  blindExposure,
  blindPlanning,
  credulous,
  deafToSilence,
  doubleFills,
  handsForgotten,
  oneCurrency,
} from './engine-canaries.js';
import {
  failureAsEmpty,
  keyedAnew,
  onlyOpenListed,
  timeoutAsRejection,
  unscopedCancelAll,
} from './wire-canaries.js';

/** Each market is quoted as if it were the only one. */
const incoherent: Seam['options'] = (options) => ({
  ...options,
  instances: options.instances.map((owner) => ({
    ...owner,
    limits: { ...owner.limits, coherentQuotes: false },
  })),
});

const CANARIES: Readonly<Record<string, Partial<Seam>>> = {
  'retry-with-new-key': { wire: keyedAnew },
  'replay-without-age-limit': {
    options: (options) => ({ ...options, settlement: { ...options.settlement, replayMaxAgeMs: Infinity } }),
  },
  'windows-forgotten-by-a-kill': { options: (options) => ({ ...options, windows: NO_WINDOWS }) },
  'time-out-taken-for-rejection': { wire: timeoutAsRejection },
  'fills-added-twice': { engine: doubleFills },
  'no-complement-check': { engine: blindPlanning },
  'listing-failure-read-as-empty': { wire: failureAsEmpty, engine: credulous },
  'only-open-listed': { wire: onlyOpenListed },
  'exposure-without-updating-orders': { engine: blindExposure },
  'incoherent-quotes-allowed': { options: incoherent },
  'private-silence-unnoticed': { engine: deafToSilence },
  'cancel-all-unscoped': { wire: unscopedCancelAll },
  'person-taken-for-the-bot': { engine: handsForgotten },
  'currencies-taken-for-one': { engine: oneCurrency },
};

export const CANARY_NAMES: readonly string[] = Object.keys(CANARIES);

/** @throws RangeError for a name that is none of {@link CANARY_NAMES} */
export function canarySeam(name: string): Seam {
  const canary = CANARIES[name];
  if (canary === undefined) throw new RangeError(`there is no canary ${name}`);
  return { ...UNCHANGED, ...canary };
}
