/**
 * `npm run simulate -- --seeds N [--from S] [--seed S] [--canary name] [--workers N]`: lets the house live through
 * seeds and prints one line of totals, as JSON where stdout is no terminal. Exit code 1 when anything was found.
 */
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

const CAMPAIGN = join(import.meta.dirname, '../support/simulation/campaign/campaign.ts');

register();
const { campaign, serve } = await import(CAMPAIGN);

if (process.env['ODDSMITH_SIMULATION_WORKER'] === undefined) {
  process.exitCode = await campaign(process.argv.slice(2));
} else {
  await serve();
}
