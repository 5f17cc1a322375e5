/** `oddsmith alert test <file>`: whether the receivers of a file can be reached. */
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import type { Micros } from '../../domain/units.js';
import { type Alert, isoTime } from '../../ops/alerts/alert.js';
import { type Outcome, senderOf } from '../../ops/alerts/receivers.js';
import { loadKeylessSettings, type ReceiverSettings, type SettingsSource } from '../../settings/index.js';
import { print, printJson } from '../output.js';

export interface AlertTestArguments {
  readonly receiver?: string;
  readonly json: boolean;
}

/** One attempt each. @throws UsageError when the file names no such receiver */
export async function testAlerts(file: string, given: AlertTestArguments): Promise<ExitCode> {
  const { settings, source } = loadKeylessSettings(file, process.env);
  const { receivers } = settings.alerts;
  const chosen = receivers.flatMap((receiver, at) =>
    given.receiver === undefined || receiver.name === given.receiver ? [{ receiver, at }] : [],
  );
  if (chosen.length === 0)
    throw new UsageError(
      receivers.length === 0
        ? `${file} names no receiver: add alerts.receivers (docs/guides/alerts.md)`
        : `${file} has no receiver ${given.receiver}: expected one of ${receivers.map(({ name }) => name).join(', ')}`,
    );
  const alert: Alert = {
    rule: 'test',
    state: 'firing',
    severity: 'info',
    title: 'a test',
    text: 'Somebody ran oddsmith alert test. Nothing has happened.',
    at: isoTime((Date.now() * 1_000) as Micros),
    runId: 'none',
    venue: settings.venue?.name ?? 'bundled exchange',
    mode: settings.mode,
  };
  const tried = await Promise.all(
    chosen.map(async ({ receiver, at }) => ({
      receiver,
      outcome: await attempt(receiver, at, source, alert),
    })),
  );
  for (const { receiver, outcome } of tried) told(receiver, outcome, given.json);
  return tried.every(({ outcome }) => outcome.kind === 'sent') ? EXIT.clean : EXIT.internal;
}

function attempt(
  receiver: ReceiverSettings,
  at: number,
  source: SettingsSource,
  alert: Alert,
): Promise<Outcome> {
  const unset = source.unsetKeys.filter(({ path }) => path.startsWith(`alerts.receivers[${at}].`));
  if (unset.length === 0) return senderOf(receiver)(alert);
  const names = unset.map((key) => key.at.name).join(', ');
  return Promise.resolve({ kind: 'refused', reason: `the variable ${names} is not set` });
}

function told({ name, kind }: ReceiverSettings, outcome: Outcome, json: boolean): void {
  const reason = outcome.kind === 'sent' ? null : outcome.reason;
  if (json) printJson({ receiver: name, kind, sent: reason === null, reason });
  else print(`${name} (${kind}): ${reason === null ? 'sent' : `not sent: ${reason}`}`);
}
