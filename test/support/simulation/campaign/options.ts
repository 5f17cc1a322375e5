import { parseArgs } from 'node:util';
import { CANARY_NAMES } from '../canaries/canaries.js';
import { type Edition, LATEST } from '../edition.js';

/** What somebody wrote that cannot be meant. */
export class UsageProblem extends Error {}

export interface CampaignOptions {
  readonly seeds: readonly number[];
  readonly edition: Edition;
  readonly canary: string | null;
  readonly workers: number;
}

const DEFAULT_SEEDS = 100;
const DEFAULT_WORKERS = 2;

/** @throws UsageProblem */
export function readOptions(args: readonly string[]): CampaignOptions {
  const { seeds, from, seed, edition, canary, workers } = parsed(args);
  const first = seed === undefined ? whole('from', from, 1) : whole('seed', seed, 1);
  const count = seed === undefined ? whole('seeds', seeds, DEFAULT_SEEDS) : 1;
  if (canary !== undefined && !CANARY_NAMES.includes(canary))
    throw new UsageProblem(`there is no canary ${canary}; there are ${CANARY_NAMES.join(', ')}`);
  return {
    seeds: Array.from({ length: count }, (_, index) => first + index),
    edition: editionOf(edition),
    canary: canary ?? null,
    workers: whole('workers', workers, DEFAULT_WORKERS),
  };
}

function parsed(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: option,
        from: option,
        seed: option,
        edition: option,
        canary: option,
        workers: option,
      },
    }).values;
  } catch (error) {
    throw new UsageProblem((error as Error).message);
  }
}

function editionOf(text: string | undefined): Edition {
  const edition = whole('edition', text, LATEST);
  if (edition > LATEST) throw new UsageProblem(`--edition: there are 1 to ${LATEST}, found ${edition}`);
  return edition as Edition;
}

function whole(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageProblem(`--${name}: expected a whole number from 1, found ${text}`);
  return Number(text);
}
