import { type BotSettings, privateKeysOf, secretsOf as secretsOfBot } from '../settings/index.js';
import type { Redactor } from '../ops/telemetry/redaction.js';

/** Every value of a run that nobody may read anywhere: keys of the venue and of the bundled exchange, tokens. */
export function secretsOf(settings: BotSettings, privateKey: string | null): readonly string[] {
  const { exchange } = settings;
  return [
    privateKey,
    ...secretsOfBot(settings),
    exchange?.adminToken,
    ...(exchange === null ? [] : privateKeysOf(exchange)),
    process.env['EXCHANGE_APP_SECRET'],
  ].filter((secret) => typeof secret === 'string');
}

/**
 * Takes secrets out of a line of a tape, should one have got in: an error text of the venue may quote what it was sent.
 * It is done within strings only, so that the line stays JSON.
 */
export const tapeScrub =
  (redactor: Redactor) =>
  (json: string): string =>
    redactor.text(json) === json ? json : JSON.stringify(redactor.value(JSON.parse(json)));
