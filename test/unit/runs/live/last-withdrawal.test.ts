import { describe, expect, it } from 'vitest';
import { traded, withdrawExclusiveMarkets } from '../../../../src/runs/live/live-door.js';
import type { CancelScope } from '../../../../src/domain/orders.js';
import { micros } from '../../../../src/domain/units.js';
import type { BotSettings } from '../../../../src/settings/index.js';
import type { RestClient } from '../../../../src/venues/futuur/rest/rest-client.js';

const EVENTS = [
  {
    id: 1,
    markets: [
      { id: 11, ownership: 'exclusive' },
      { id: 12, ownership: 'shared' },
    ],
  },
  { id: 2, markets: [{ id: 21, ownership: 'exclusive' }] },
] as unknown as BotSettings['events'];

/** Cancels what stands in these markets; a cancel of another one is refused. */
async function withdrawn(...willing: readonly number[]) {
  const asked: CancelScope[] = [];
  const errors: unknown[] = [];
  const cancelScope: RestClient['cancelScope'] = (scope) => {
    asked.push(scope);
    const isTaken = scope.kind === 'market' && willing.includes(Number(scope.marketId));
    return Promise.resolve(
      isTaken
        ? { ok: true, value: { kind: 'cancel-scope', canceledIds: [], processingIds: [] }, sentAt: micros(1) }
        : { ok: false, failure: { kind: 'unknown', reason: 'time-out' }, sentAt: micros(1) },
    );
  };
  const error = (_text: string, members: unknown): void => void errors.push(members);
  await withdrawExclusiveMarkets({ events: EVENTS }, { cancelScope }, { error });
  return { asked, errors };
}

describe('the withdrawal of a bot whose engine is broken', () => {
  it('reaches markets and events that left while it ran, each once', () => {
    const [first, second] = EVENTS;
    const ids = (events: BotSettings['events']) =>
      events.map(({ id, markets }) => [id, ...markets.map((m) => m.id)]);
    const fewer = [{ ...first!, markets: first!.markets.slice(0, 1) }];
    expect(ids(traded(EVENTS, fewer))).toEqual([
      [1, 11, 12],
      [2, 21],
    ]);
    expect(ids(traded(fewer, EVENTS))).toEqual([
      [1, 11, 12],
      [2, 21],
    ]);
    const shared = {
      ...second!,
      markets: second!.markets.map((one) => ({ ...one, ownership: 'shared' as const })),
    };
    expect(traded(EVENTS, [shared]).find(({ id }) => id === second!.id)!.markets[0]!.ownership).toBe(
      'shared',
    );
  });

  it('cancels market by market what is ours alone, and nothing of others', async () => {
    const { asked, errors } = await withdrawn(11, 21);
    expect(asked).toEqual([
      { kind: 'market', eventId: '1', marketId: '11' },
      { kind: 'market', eventId: '2', marketId: '21' },
    ]);
    expect(errors).toEqual([]);
  });

  it('goes on behind a cancel that fails, and says where orders may remain', async () => {
    const { asked, errors } = await withdrawn(21);
    expect(asked).toHaveLength(2);
    expect(errors).toEqual([{ marketId: '11', failure: { kind: 'unknown', reason: 'time-out' } }]);
  });
});
