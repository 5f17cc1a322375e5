import { expect, test } from 'vitest';
import { eventText } from '../../../src/venues/futuur/protocol/pusher-frames.js';
import { fitted } from '../../../src/exchange-server/realtime/publisher.js';

const LIMIT = 10_240;
const market = (id: number) => ({ id, title: 'é'.repeat(50) });
const withMarkets = (count: number) => ({
  id: 7,
  title: 'Many',
  markets: Array.from({ length: count }, (_, at) => market(at)),
});

const CHANNEL = 'event';
const received = (json: string): string => eventText('price-change', CHANNEL, json);
const fit = (payload: object) => fitted(payload, received);
const bytes = (json: string): number => Buffer.byteLength(received(json));

test('what fits is written as it is', () => {
  const payload = { id: 1, markets: [market(1)] };
  expect(fit(payload)).toEqual({ json: JSON.stringify(payload), droppedMarkets: 0 });
});

test('trailing markets are dropped, and no more of them than needed', () => {
  const payload = withMarkets(200);
  const { json, droppedMarkets } = fit(payload);
  const kept = JSON.parse(json ?? '') as ReturnType<typeof withMarkets>;
  expect(kept).toEqual({ ...payload, markets: payload.markets.slice(0, 200 - droppedMarkets) });
  expect(bytes(json ?? '')).toBeLessThanOrEqual(LIMIT);
  const oneMore = JSON.stringify({ ...payload, markets: payload.markets.slice(0, 201 - droppedMarkets) });
  expect(bytes(oneMore)).toBeGreaterThan(LIMIT);
});

test('the whole message counts: its quotes, event and channel', () => {
  const framing = bytes('""') - 2;
  const exact = (text: string) => fit({ text }).json;
  const inside = LIMIT - framing - '{"text":""}'.length - 2;
  expect(exact('x'.repeat(inside))).not.toBeNull();
  expect(exact('x'.repeat(inside + 1))).toBeNull();
  expect(exact(`${'x'.repeat(inside - 4)}"`)).not.toBeNull();
  expect(exact(`${'x'.repeat(inside - 3)}"`)).toBeNull();
});

test('bytes count, not characters', () => {
  expect(fit({ text: 'x'.repeat(10_000) }).json).not.toBeNull();
  expect(fit({ text: 'é'.repeat(5_200) }).json).toBeNull();
});

test('what is too large without markets, or without any list of them, is not sent', () => {
  expect(fit({ title: 'x'.repeat(11_000), markets: [market(1)] })).toEqual({
    json: null,
    droppedMarkets: 1,
  });
  expect(fit({ content: 'x'.repeat(11_000) })).toEqual({ json: null, droppedMarkets: 0 });
});
