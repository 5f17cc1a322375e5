/** `oddsmith conformance <config.yaml>`: tries what the program assumes of a venue, with the least play-money orders. */
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { accountId } from '../../domain/ids.js';
import { learnAccount } from '../../ops/state/account-folder.js';
import type { Assumption } from '../../runs/conformance/assumptions.js';
import { trialOf, keepConformance, tryAssumptions } from '../../runs/conformance/conformance.js';
import type { Found } from '../../runs/conformance/probes.js';
import { Asker } from '../../runs/conformance/asker.js';
import { told } from '../../runs/offered-markets.js';
import { loadBotSettings, wholeAccount } from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { print, printJson, remark } from '../output.js';
import { interruptible } from '../signals.js';

export interface ConformanceArguments {
  readonly currency: string;
  readonly market: string;
  readonly json: boolean;
}

/** Exit code 0 where nothing differs, 2 where something does, 5 where orders may remain. @throws UsageError, VenueUnreachableError, Interrupted */
export async function showConformance(file: string, given: ConformanceArguments): Promise<ExitCode> {
  if (given.currency !== 'OOM')
    throw new UsageError(
      `--currency ${given.currency}: expected OOM; orders are tried with play money alone`,
    );
  const { settings } = loadBotSettings(file, process.env, [
    'mode=live',
    'currencyMode=play_money',
    'currency=OOM',
  ]);
  const { venue } = settings;
  if (venue === null) throw new UsageError(`${file} names no venue: its exchange is this program's own`);
  const clock = new SystemClock();
  const asker = new Asker({ venue, clock });
  const account = told(await asker.rest.me(), 'the account of the keys');
  await asker.close();
  const trial = await trialOf({ settings, venue, clock }, given.market);
  const { results, isClear } = await interruptible(
    'nothing of this trial is kept',
    async (stop) => {
      const tell = (assumption: Assumption, found: Found): void => {
        if (!given.json) print(...linesOf(assumption, found));
      };
      const tried = await tryAssumptions(trial, tell, stop);
      if (!tried.isClear)
        remark(
          `orders of this trial may remain in market ${given.market}: cancel them; they expire in ten minutes`,
        );
      stop.throwIfAborted();
      return tried;
    },
    'stopped at once; orders that were placed expire in ten minutes',
  );
  const at = new Date().toISOString();
  const paths = learnAccount(wholeAccount(settings), venue, accountId(account.id));
  keepConformance(paths, { at, market: given.market, results: [...results] });
  const count = (verdict: Found['verdict']): number =>
    results.filter((one) => one.verdict === verdict).length;
  if (given.json) printJson({ at, market: given.market, results });
  else
    print(
      `${at}: ${count('verified')} verified, ${count('differs')} differ, ${count('untested')} untested; kept in ${paths.folder}`,
    );
  if (!isClear) return EXIT.ordersMayRemain;
  return count('differs') > 0 ? EXIT.usage : EXIT.clean;
}

const linesOf = ({ number, sentence, isSafety }: Assumption, { verdict, text }: Found): readonly string[] => [
  `${verdict.padEnd(9)}${String(number).padStart(3)}. ${sentence}${isSafety ? ' (safety)' : ''}`,
  ...(verdict === 'verified' ? [] : [`             ${text}`]),
];
