import { runExchange } from '../../runs/exchange/exchange.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { followingTheWall, SystemClock } from '../../storage/clocks/system-clock.js';
import { isExchangeFile, loadExchangeSettings, privateKeysOf } from '../../settings/index.js';
import { createLogger } from '../../ops/telemetry/logger.js';
import { hearStopSignals } from '../signals.js';
import { print, printJson, remark } from '../output.js';

export interface ExchangeArguments {
  readonly port?: number;
  readonly json: boolean;
}

const sectionAlone = (file: string): string =>
  `the section exchange of ${file} alone; its bot is not started: oddsmith run ${file} starts both`;

/** `oddsmith exchange <file>`: the bundled exchange alone, until a signal. */
export async function runExchangeAlone(file: string, given: ExchangeArguments): Promise<ExitCode> {
  const { settings } = loadExchangeSettings(file, process.env);
  if (!isExchangeFile(file, process.env)) remark(sectionAlone(file));
  const secrets = privateKeysOf(settings);
  const signals = hearStopSignals('ended at once');
  const clock = new SystemClock(followingTheWall());
  const exchange = await runExchange({
    settings: given.port === undefined ? settings : { ...settings, port: given.port },
    file,
    clock,
    start: clock.now(),
    random: seededRandom(settings.seed),
    logger: createLogger({ level: 'info', secrets }),
    busyPort: 'fail',
  });
  const { restUrl: rest, realtime } = exchange.server;
  const text = `exchange ${rest}  realtime ws://${realtime.host}:${realtime.port}/app/${realtime.key}`;
  if (given.json) printJson({ event: 'ready', rest, realtime, pid: process.pid });
  else print(text);
  await new Promise<void>((resolve) => signals.onStop(() => resolve()));
  await exchange.close();
  return EXIT.clean;
}
