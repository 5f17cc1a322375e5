/** `oddsmith doctor <config.yaml>`: whether a bot of the file could run here and now, line by line. */
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { statePlaces } from '../../ops/state/account-folder.js';
import { failure, type Finding, fine, reasonOf, worstOf } from '../../runs/doctor/finding.js';
import { diskFindings, nodeFinding, stateFindings, versionFinding } from '../../runs/doctor/machine.js';
import { venueFindings } from '../../runs/doctor/venue.js';
import { selectedSettings } from '../../runs/selection.js';
import { type BotSettings, type Loaded, loadKeylessSettings } from '../../settings/index.js';
import { SystemClock } from '../../storage/clocks/system-clock.js';
import { paperOverrides } from '../option-values.js';
import { print, printJson } from '../output.js';

export interface DoctorArguments {
  readonly paper: boolean;
  readonly json: boolean;
}

/** Exit code 0 without a failure, 2 with one: warnings do not keep a bot from running. */
export async function examine(file: string, given: DoctorArguments): Promise<ExitCode> {
  const findings = [nodeFinding(), versionFinding(), ...(await findingsOf(file, given))];
  const worst = worstOf(findings);
  if (given.json) printJson({ file, state: worst, findings });
  else print(...findings.flatMap(linesOf), SUMS[worst]);
  return worst === 'failure' ? EXIT.usage : EXIT.clean;
}

const SUMS = {
  ok: 'nothing speaks against a run',
  warning: 'a bot would run; look at the warnings',
  failure: 'a bot would not run, or not trade: see the failures',
} as const;

const linesOf = ({ state, name, text, advice }: Finding): readonly string[] => [
  `${state.padEnd(8)}${name.padEnd(12)}${text}`,
  ...(advice === null ? [] : [`${' '.repeat(20)}${advice}`]),
];

async function findingsOf(file: string, given: DoctorArguments): Promise<readonly Finding[]> {
  let loaded: Loaded<BotSettings>;
  try {
    loaded = loadKeylessSettings(file, process.env, paperOverrides(given));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [failure('file', error.message, 'oddsmith config check tells all that is wrong with it')];
  }
  const { settings, source } = loaded;
  const clock = new SystemClock();
  const unset =
    settings.mode === 'paper' ? [] : source.unsetKeys.filter(({ path }) => path.startsWith('venue.'));
  const local = [
    fine('file', `${file} is valid`),
    ...diskFindings(settings.stateDir, clock),
    ...stateFindings(statePlaces(settings)),
    ...unset.map(({ path, at }) =>
      failure(
        'keys',
        `${path}: the environment variable ${at.name} is not set`,
        `set ${at.name}, or look without keys: --paper`,
      ),
    ),
  ];
  const { venue } = settings;
  if (venue === null) return [...local, fine('venue', 'none: run starts the exchange of the file')];
  const isSigning = settings.mode !== 'paper' && unset.length === 0;
  try {
    const selected = await selectedSettings({ ...loaded, venue, clock, logger: null });
    const found = await venueFindings({ settings: selected.settings, venue, clock, isSigning });
    return [...local, ...found];
  } catch (error) {
    return [
      ...local,
      failure('venue', reasonOf(error), 'look at venue.baseUrl, and at what the file selects'),
    ];
  }
}
