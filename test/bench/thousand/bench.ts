/**
 * One bot with 1,000 markets over 250 events. `live`: with a guard and expiring orders beside the bundled exchange, each a
 * process of its own, for so many minutes. `paper`: the same without a guard. `virtual`: an audited life of so many hours.
 */
import { parseArgs } from 'node:util';
import { UsageError } from '../../../src/domain/errors.js';
import { day } from './day.js';
import { live } from './live.js';

const OPTIONS = {
  case: { type: 'string', default: 'live' },
  minutes: { type: 'string', default: '3' },
  hours: { type: 'string', default: '24' },
  markets: { type: 'string', default: '1000' },
  noise: { type: 'string' },
  walking: { type: 'string' },
} as const;

/** Lives one case, prints its figures on stdout, and on stderr what it is like meanwhile. */
export async function run(args: string[]): Promise<void> {
  const { case: mode, ...texts } = parseArgs({ args, options: OPTIONS }).values;
  if (mode !== 'live' && mode !== 'paper' && mode !== 'virtual')
    throw new UsageError(`--case is one of live, paper, virtual, not ${mode}`);
  const isVirtual = mode === 'virtual';
  const number = (name: string, text: string): number => {
    if (!(Number(text) >= 0)) throw new UsageError(`--${name} is a number, not ${text}`);
    return Number(text);
  };
  const markets = number('markets', texts.markets);
  const noisePerS = number('noise', texts.noise ?? (isVirtual ? '0.05' : '50'));
  const walking = number('walking', texts.walking ?? (isVirtual ? '0' : '200'));
  const activity = { markets, noisePerS, walking, areMade: !isVirtual };
  if (isVirtual) await day({ ...activity, hours: number('hours', texts.hours) });
  else await live({ ...activity, minutes: number('minutes', texts.minutes), mode });
}
