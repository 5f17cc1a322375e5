/** Events and markets of the bundled exchange that are added while it runs: the same keys as in its file. */
import type { z } from 'zod';
import { exchangeEventSchema, exchangeMarketSchema, type ExchangeSettings } from './exchange-schema.js';
import { checked } from './issues.js';

type EventSettings = ExchangeSettings['events'][number];
type MarketSettings = EventSettings['markets'][number];

/** The settings, or what is wrong by path of the field (`markets.0.id`). */
export type ItemReading<Settings> =
  | { readonly ok: true; readonly value: Settings }
  | { readonly ok: false; readonly fields: Readonly<Record<string, readonly string[]>> };

export const readExchangeEvent = (input: unknown): ItemReading<EventSettings> =>
  read(exchangeEventSchema, input);

export const readExchangeMarket = (input: unknown): ItemReading<MarketSettings> =>
  read(exchangeMarketSchema, input);

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): ItemReading<z.output<Schema>> {
  const result = checked(schema, input);
  if (result.ok) return result;
  const fields: Record<string, string[]> = {};
  for (const { path, message, unknownKey } of result.issues) {
    const field = [...path, ...(unknownKey === undefined ? [] : [unknownKey])].join('.') || 'body';
    (fields[field] ??= []).push(message);
  }
  return { ok: false, fields };
}
