import { expect, test } from 'vitest';
import { fitted } from '../../../src/server/realtime/fitting.js';

const LIMIT = 10_240;
const market = (id: number) => ({ id, title: 'é'.repeat(50) });
const withMarkets = (count: number) => ({
  id: 7,
  title: 'Many',
  markets: Array.from({ length: count }, (_, at) => market(at)),
});

test('what fits is written as it is', () => {
  const payload = { id: 1, markets: [market(1)] };
  expect(fitted(payload)).toEqual({ json: JSON.stringify(payload), droppedMarkets: 0 });
});

test('trailing markets are dropped, and no more of them than needed', () => {
  const payload = withMarkets(200);
  const { json, droppedMarkets } = fitted(payload);
  const kept = JSON.parse(json ?? '') as ReturnType<typeof withMarkets>;
  expect(kept).toEqual({ ...payload, markets: payload.markets.slice(0, 200 - droppedMarkets) });
  expect(Buffer.byteLength(json ?? '')).toBeLessThanOrEqual(LIMIT);
  const oneMore = JSON.stringify({ ...payload, markets: payload.markets.slice(0, 201 - droppedMarkets) });
  expect(Buffer.byteLength(oneMore)).toBeGreaterThan(LIMIT);
});

test('bytes count, not characters', () => {
  expect(fitted({ text: 'x'.repeat(10_200) }).json).not.toBeNull();
  expect(fitted({ text: 'é'.repeat(5_200) }).json).toBeNull();
});

test('what is too large without markets, or without any list of them, is not sent', () => {
  expect(fitted({ title: 'x'.repeat(11_000), markets: [market(1)] })).toEqual({
    json: null,
    droppedMarkets: 1,
  });
  expect(fitted({ content: 'x'.repeat(11_000) })).toEqual({ json: null, droppedMarkets: 0 });
});
