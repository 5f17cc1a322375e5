import { describe, expect, it, onTestFinished } from 'vitest';
import { openFeed } from '../../../../src/runs/live/connections.js';
import type { SubscriptionInput } from '../../../../src/domain/inputs.js';
import { accountId } from '../../../../src/domain/ids.js';
import { micros } from '../../../../src/domain/units.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import type { FeedLink, PusherLinkOptions } from '../../../../src/venues/futuur/realtime/pusher-link.js';
import type { JoinListener } from '../../../../src/venues/futuur/realtime/subscriptions.js';

const CHANNEL = 'private-user-1';
const SECOND = 1_000_000;

/** A connection that asks for proofs as pusher-js does: when told to join, and once more after a reconnect. */
class ProvingLink implements FeedLink {
  private listener: JoinListener | null = null;

  constructor(private readonly options: Pick<PusherLinkOptions, 'authorize'>) {}

  join(channel: string, listener: JoinListener): void {
    if (channel !== CHANNEL) return;
    this.listener = listener;
    void this.reconnected();
  }

  async reconnected(): Promise<void> {
    const verdict = await this.options.authorize(CHANNEL, '1.1');
    if (verdict.ok) this.listener!.onJoined();
    else this.listener!.onRefused(verdict.reason);
  }

  leave(): void {}
  connect(): void {}
  disconnect(): void {}
  forget(): void {}
}

type Authorized = Awaited<ReturnType<Parameters<typeof openFeed>[1]['rest']['authorizeChannel']>>;

/** A feed whose private channel the venue refuses with 429 until it is told otherwise. */
function throttledFeed(retryAfterMs: number | null) {
  const clock = new VirtualClock(micros(0));
  const changes: SubscriptionInput[] = [];
  const links: ProvingLink[] = [];
  let asked = 0;
  const throttled = { kind: 'refused', status: 429, code: 'Throttled', detail: '', retryAfterMs } as const;
  const rest = {
    authorizeChannel: () => {
      asked += 1;
      return Promise.resolve({ ok: false, failure: throttled } as unknown as Authorized);
    },
  };
  const given = { settings: { events: [] }, venue: { realtime: {} }, clock, random: seededRandom(1) };
  const feed = openFeed(given as never, {
    rest,
    account: accountId(1),
    open: (options) => {
      const link = new ProvingLink(options);
      links.push(link);
      return link;
    },
  });
  onTestFinished(() => feed.close());
  feed.streams.subscription.subscribe((change) => changes.push(change));
  feed.connect();
  return {
    changes,
    link: links[0]!,
    asked: () => asked,
    advance: async (seconds: number) => {
      await settled();
      clock.advanceTo(micros(clock.now() + seconds * SECOND));
      await settled();
    },
  };
}

/** Answers have come. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a private channel whose proof is refused with 429', () => {
  it('is asked for again when the time is over that the venue asked for, and not before', async () => {
    const { asked, advance, changes } = throttledFeed(30_000);
    await advance(29);
    expect(asked()).toBe(1);
    expect(changes).toMatchObject([{ channel: CHANNEL, state: 'refused', reason: 'Throttled' }]);
    await advance(1);
    expect(asked()).toBe(2);
  });

  it('is not asked for by a new connection either, which is told', async () => {
    const { asked, advance, changes, link } = throttledFeed(30_000);
    await advance(10);
    await link.reconnected();
    expect(asked()).toBe(1);
    expect(changes.at(-1)).toMatchObject({ state: 'refused', reason: 'the venue asks to wait 20 s' });
    await advance(19);
    expect(asked()).toBe(1);
    await advance(1);
    expect(asked()).toBe(2);
  });

  it('is asked for at growing intervals where the venue names no time', async () => {
    const { asked, advance } = throttledFeed(null);
    await advance(1);
    expect(asked()).toBe(2);
    await advance(1);
    expect(asked()).toBe(2);
    await advance(1);
    expect(asked()).toBe(3);
  });
});
