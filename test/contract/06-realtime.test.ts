/** Specification 6: channels, and what is told of events and markets, one test per row. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene, freshId } from '../support/contract/contract-scene.js';
import { about, payload } from '../support/wire/realtime-client.js';
import { ISO_MILLISECONDS, ISO_TIME } from '../support/wire/wire-matchers.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('6.1 channels', () => {
  test.each(['event', 'event-873', 'test-channel'])('%s is public', async (channel) => {
    const client = await scene.realtime();
    const answer = await client.subscribe(channel);
    expect(answer.event).toBe('pusher_internal:subscription_succeeded');
  });

  test('private-user-{user_id} needs the authorisation of 4.17', async () => {
    const client = await scene.realtime();
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    const refused = await client.subscribe(channel);
    expect(refused.event).toBe('pusher:subscription_error');
    expect(payload(refused)).toMatchObject({ type: 'AuthError', status: 401 });
    const { frames } = await scene.listening([], 'alice');
    expect(frames.at(-1)?.event).toBe('pusher_internal:subscription_succeeded');
  });

  test('an authorisation for another connection is refused', async () => {
    const [one, two] = [await scene.realtime(), await scene.realtime()];
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    const answer = await scene.authorise('alice', channel, await one.socketId());
    const frame = await two.subscribe(channel, String(answer.at('auth')));
    expect(frame.event).toBe('pusher:subscription_error');
  });

  test('an authorisation for another channel is refused', async () => {
    const client = await scene.realtime();
    const own = await scene.authorise('alice', `private-user-${ACCOUNT_IDS.alice}`, await client.socketId());
    const frame = await client.subscribe(`private-user-${ACCOUNT_IDS.bob}`, String(own.at('auth')));
    expect(frame.event).toBe('pusher:subscription_error');
  });

  test('test-channel carries test-event only', async () => {
    const client = await scene.listening(['test-channel']);
    await scene.place('alice', await scene.market(), {});
    await scene.admin.post('/admin/test-event/');
    const frame = await client.next('test-event');
    expect(frame.channel).toBe('test-channel');
    await client.settled();
    const carried = client.frames.filter(
      ({ channel, event }) => channel === 'test-channel' && !isInternal(event),
    );
    expect(carried.map(({ event }) => event)).toEqual(['test-event']);
  });
});

describe('6.2 and 6.3 new-market', () => {
  test('when a market is added to an event, on event', async () => {
    const { event } = await scene.market({ category: { id: 7, name: 'Sport' } });
    const client = await scene.listening(['event']);
    const id = freshId();
    await scene.admin.post(`/admin/events/${event}/markets/`, { id, title: 'Late entry' });
    const frame = await client.next('new-market', about('id', id));
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id,
        title: 'Late entry',
        title_verbose: `Event ${event}: Late entry`,
        event: { id: event, title: `Event ${event}`, status: 'open', category: { id: 7, name: 'Sport' } },
        status: 'active',
        suggested_price_play_money: null,
        suggested_price_real_money: null,
        bet_start_date: null,
        bet_end_date: null,
      },
    });
  });
});

describe('6.2 and 6.3 live-data-update', () => {
  test('when live data of an event changes, on event', async () => {
    const { event } = await scene.market({ eventStartDate: '2030-01-01T10:00:00Z' });
    const client = await scene.listening(['event']);
    await scene.admin.post(`/admin/events/${event}/live/`, { isLive: true, extraData: { score: [1, 0] } });
    const frame = await client.next('live-data-update', about('id', event));
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id: event,
        status: 'open',
        resolution: null,
        resolve_date: null,
        event_start_date: expect.stringMatching(/^2030-01-01T10:00:00/),
        event_end_date: null,
        event_extra_data: { score: [1, 0] },
        is_live: true,
      },
    });
  });

  test('when an event is resolved', async () => {
    const market = await scene.market();
    const client = await scene.listening(['event']);
    await scene.admin.post(`/admin/events/${market.event}/resolve/`, {
      resolutions: { [market.market]: 'long' },
    });
    const frame = await client.next(
      'live-data-update',
      (found) => about('id', market.event)(found) && payload(found)['status'] === 'resolved',
    );
    expect(payload(frame)).toMatchObject({
      resolution: expect.any(String),
      resolve_date: expect.stringMatching(ISO_TIME),
    });
  });
});

describe('6.2 and 6.3 market-status-change', () => {
  test.each([
    ['the status of a market', { status: 'paused' }, { status: 'paused', previous_status: 'active' }],
    ['a market disabled', { disabled: true }, { disabled: true }],
    [
      'the bet window',
      { betEndDate: '2031-05-01T00:00:00Z' },
      { bet_end_date: expect.stringMatching(/^2031-05-01/) },
    ],
  ])('%s, on event and event-{id}', async (_what, change, expected) => {
    const market = await scene.market();
    const client = await scene.listening(['event', `event-${market.event}`]);
    await scene.admin.post(`/admin/markets/${market.market}/status/`, change);
    await client.settled();
    const frames = client.ofEvent('market-status-change').filter(about('market_id', market.market));
    expect(frames.map(({ channel }) => channel)).toEqual(['event', `event-${market.event}`]);
    expect(payload(frames[0]!)).toMatchObject({
      event_id: market.event,
      market_id: market.market,
      timestamp: expect.stringMatching(ISO_MILLISECONDS),
      ...expected,
    });
  });

  test('the status of a whole event has no market', async () => {
    const market = await scene.market();
    const client = await scene.listening([`event-${market.event}`]);
    await scene.admin.post(`/admin/events/${market.event}/status/`, { status: 'paused' });
    const frame = await client.next('market-status-change', about('market_id', null as never));
    expect(payload(frame)).toMatchObject({
      event_id: market.event,
      status: 'paused',
      previous_status: 'open',
    });
  });
});

describe('6.2 and 6.3 market-comment', () => {
  test('about five seconds after it was posted, on event', async () => {
    const market = await scene.market();
    const client = await scene.listening(['event']);
    const posted = Date.now();
    await scene.admin.post(`/admin/events/${market.event}/comments/`, {
      user: ACCOUNT_IDS.alice,
      content: 'I would not.',
    });
    const frame = await client.next('market-comment');
    expect(Date.now() - posted).toBeGreaterThanOrEqual(4_900);
    expect(frame).toMatchObject({
      channel: 'event',
      data: {
        id: expect.any(Number),
        content: 'I would not.',
        created_on: expect.stringMatching(ISO_TIME),
        user: {
          id: ACCOUNT_IDS.alice,
          username: 'alice',
          picture: null,
          win_rate: expect.any(Number),
          wagers_count: expect.any(Number),
          net_earnings: expect.any(Number),
        },
        question: {
          id: market.event,
          title: `Event ${market.event}`,
          slug: `event-${market.event}`,
          status: 'open',
          resolve_date: null,
          bet_end_date: null,
          is_binary: true,
        },
      },
    });
  });
});

const isInternal = (event: string): boolean => event.startsWith('pusher');
