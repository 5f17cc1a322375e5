import { spawnSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventId, marketId } from '../../../../src/domain/ids.js';
import { money } from '../../../../src/domain/units.js';
import type { EngineView } from '../../../../src/core/engine/observing/view.js';
import { createMetrics, METRIC_CATALOGUE } from '../../../../src/ops/telemetry/metrics.js';
import { engineView, marketView } from '../../../support/bot/engine-view.js';

function measured(view: () => EngineView | null) {
  const metrics = createMetrics({
    view,
    requestsLeft: () => ({ minute: 1_990, day: 999_000 }),
    fairFigures: () => [{ source: 'model', isUp: true, counts: { accepted: 3, older: 1 } }],
    alertFigures: () => [{ receiver: 'phone', sent: 2, failed: 1, leftOut: 0 }],
  });
  onTestFinished(() => metrics.close());
  return metrics;
}

/** The value of each sample by its name and labels. */
async function samples(metrics: ReturnType<typeof measured>): Promise<Record<string, number>> {
  const { text } = await metrics.read();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

const MARKET = 'market_id="2231",event_id="873"';

describe('metrics', () => {
  it('show the engine in base units', async () => {
    const found = await samples(measured(() => engineView()));
    expect(found).toMatchObject({
      'oddsmith_run_info{run_id="r1",currency="OOM",currency_mode="play_money",phase="running"}': 1,
      'oddsmith_inputs_total{kind="book"}': 7,
      'oddsmith_refusals_total{code="MarketClosed"}': 1,
      'oddsmith_differences_total{of="holding"}': 2,
      oddsmith_orders_created_total: 4,
      oddsmith_filled_shares_total: 12.5,
      oddsmith_inferred_shares: 0.5,
      'oddsmith_filled_amount_total{currency="OOM"}': 6.5,
      oddsmith_connection_up: 1,
      oddsmith_killed: 0,
      'oddsmith_profit{currency="OOM"}': -0.25,
      'oddsmith_balance{currency="OOM",part="total"}': 2,
      'oddsmith_requests_left{window="minute"}': 1_990,
      'oddsmith_fair_values_total{source="model",outcome="older"}': 1,
      'oddsmith_fair_source_up{source="model"}': 1,
      'oddsmith_alerts_total{receiver="phone",outcome="failed"}': 1,
      [`oddsmith_book_age_seconds{${MARKET}}`]: 0.25,
      [`oddsmith_inventory_shares{${MARKET},position="long"}`]: 12.5,
      [`oddsmith_quotes{${MARKET},side="bid"}`]: 1,
      [`oddsmith_quotes{${MARKET},side="ask"}`]: 0,
      [`oddsmith_market_fills_total{${MARKET}}`]: 3,
    });
  });

  it('show what events may cost, and of single ones no more than a hundred', async () => {
    const event = (id: number, worst: number) => ({
      eventId: eventId(id),
      worst: money(worst),
      maxLoss: money(300_000_000),
    });
    const few = await samples(
      measured(() => engineView({ events: [event(1, -2_500_000), event(2, 1_000_000)] })),
    );
    expect(few['oddsmith_worst_case_loss{currency="OOM"}']).toBe(2.5);
    expect(few['oddsmith_event_worst_case_loss{event_id="1",currency="OOM"}']).toBe(2.5);
    const many = Array.from({ length: 150 }, (_, at) => event(at + 1, -1_000_000 * (at + 1)));
    const found = await samples(measured(() => engineView({ events: many })));
    const shown = Object.keys(found).filter((name) => name.startsWith('oddsmith_event_worst_case_loss'));
    expect(shown).toHaveLength(100);
    expect(shown).toContain('oddsmith_event_worst_case_loss{event_id="150",currency="OOM"}');
  });

  it('show nothing of what is not known', async () => {
    const market = marketView({
      fair: null,
      book: {
        freshness: 'resyncing',
        reason: 'resyncing',
        ageMs: null,
        readAgeMs: null,
        bid: null,
        ask: null,
      },
    });
    const found = await samples(measured(() => engineView({ markets: [market] })));
    expect(found).not.toHaveProperty([`oddsmith_fair_probability{${MARKET}}`]);
    expect(found).not.toHaveProperty([`oddsmith_book_age_seconds{${MARKET}}`]);
    expect(found).not.toHaveProperty(['oddsmith_balance{currency="OOM",part="free"}']);
    expect(found[`oddsmith_book_live{${MARKET}}`]).toBe(0);
  });

  it('follow the engine: counters do not add up over scrapes, markets that are gone disappear', async () => {
    let view = engineView();
    const metrics = measured(() => view);
    await metrics.read();
    view = engineView({ markets: [marketView({ marketId: marketId(9) })] });
    const found = await samples(metrics);
    expect(found['oddsmith_decisions_total']).toBe(9);
    expect(found).not.toHaveProperty([`oddsmith_quotable{${MARKET}}`]);
    expect(found['oddsmith_quotable{market_id="9",event_id="873"}']).toBe(1);
  });

  it('show the age of signals, of a bounded number of them', async () => {
    const signals = Array.from({ length: 30 }, (_, at) => ({ name: `s${at}`, ageMs: 250 }));
    const found = await samples(measured(() => engineView({ markets: [marketView({ signals })] })));
    expect(found[`oddsmith_signal_age_seconds{${MARKET},signal="s19"}`]).toBe(0.25);
    expect(found).not.toHaveProperty([`oddsmith_signal_age_seconds{${MARKET},signal="s20"}`]);
  });

  it('keep the number of series bounded, however many markets there are, and count all of them', async () => {
    const signals = Array.from({ length: 30 }, (_, at) => ({ name: `s${at}`, ageMs: 250 }));
    const market = (id: number) =>
      marketView({
        marketId: marketId(id),
        eventId: eventId(id),
        signals,
        instance: id % 2 === 0 ? 'demo' : null,
      });
    const markets = Array.from({ length: 10_000 }, (_, at) => market(at + 1));
    const events = markets.map((one) => ({ eventId: one.eventId, worst: money(-1), maxLoss: money(9) }));
    const found = await samples(measured(() => engineView({ markets, events })));
    expect(Object.keys(found).length).toBeLessThan(20_000);
    const shown = Object.keys(found).filter((name) => name.startsWith('oddsmith_quotable{'));
    expect(shown).toHaveLength(500);
    expect(shown).toContain('oddsmith_quotable{market_id="1000",event_id="1000"}');
    expect(found).toMatchObject({
      'oddsmith_markets{state="quoted"}': 5_000,
      'oddsmith_markets{state="observed"}': 5_000,
      'oddsmith_quoted_books{freshness="live"}': 5_000,
      'oddsmith_orders{state="live"}': 10_000,
    });
  });

  it('are those of the catalogue', async () => {
    const view = engineView({ alarms: [{ code: 'journal', text: '' }] });
    const { text } = await measured(() => view).read();
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(types.toSorted()).toEqual(METRIC_CATALOGUE.map(({ name, type }) => `${name} ${type}`).toSorted());
  });

  it('show the process before the engine runs', async () => {
    const found = await samples(measured(() => null));
    expect(found['oddsmith_process_resident_memory_bytes']).toBeGreaterThan(1e6);
    expect(found['oddsmith_process_start_time_seconds']).toBeGreaterThan(1.6e9);
    expect(found['oddsmith_event_loop_delay_seconds{statistic="max"}']).toBeGreaterThanOrEqual(0);
    expect(found).not.toHaveProperty(['oddsmith_profit{currency="OOM"}']);
  });

  it('count requests by endpoint, outcome and code, and time those that were sent', async () => {
    const metrics = measured(() => null);
    metrics.observeRequest({ endpoint: 'batchCreate', outcome: 'ok', code: null, durationMs: 4 });
    metrics.observeRequest({
      endpoint: 'batchCreate',
      outcome: 'refused',
      code: 'Throttled',
      durationMs: 30,
    });
    metrics.observeRequest({ endpoint: 'batchCreate', outcome: 'not-sent', code: null, durationMs: null });
    expect(await samples(metrics)).toMatchObject({
      'oddsmith_requests_total{endpoint="batchCreate",outcome="ok",code=""}': 1,
      'oddsmith_requests_total{endpoint="batchCreate",outcome="refused",code="Throttled"}': 1,
      'oddsmith_requests_total{endpoint="batchCreate",outcome="not-sent",code=""}': 1,
      'oddsmith_request_duration_seconds_count{endpoint="batchCreate"}': 2,
      'oddsmith_request_duration_seconds_bucket{le="0.005",endpoint="batchCreate"}': 1,
    });
  });

  it('of two bots in one process do not meet', async () => {
    const [one, other] = [measured(() => null), measured(() => null)];
    one.observeRequest({ endpoint: 'me', outcome: 'ok', code: null, durationMs: 1 });
    expect((await other.read()).text).not.toContain('endpoint="me"');
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it.skipIf(!hasPromtool)('pass promtool (skipped where promtool is not installed)', async () => {
    const metrics = measured(() => engineView());
    metrics.observeRequest({ endpoint: 'me', outcome: 'ok', code: null, durationMs: 1 });
    const { text } = await metrics.read();
    const check = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(`${check.stdout}${check.stderr}`).toBe('');
    expect(check.status).toBe(0);
  });
});
