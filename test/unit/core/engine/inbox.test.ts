import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Input, Stamped, TimerFired } from '../../../../src/domain/inputs.js';
import { type Micros, micros } from '../../../../src/domain/units.js';
import { type InboxSources, openInbox } from '../../../../src/core/engine/loop.js';
import type { FeedStreams } from '../../../../src/venues/port.js';

type TestEvent = Extract<Input, { kind: 'test' }>;
const EVENT: TestEvent = { kind: 'test' };
const TIMER: TimerFired = { kind: 'timer' };

function opened(take: (stamped: Stamped) => void, look: () => void = () => undefined) {
  const [events, timers] = [new Subject<TestEvent>(), new Subject<TimerFired>()];
  const clock = {
    time: micros(10),
    now: (): Micros => clock.time,
    monotonic: () => 0,
    at: () => () => undefined,
  };
  const none = new Subject<never>();
  const feed = { test: events } as Partial<FeedStreams> as FeedStreams;
  const sources: InboxSources = { feed, answers: none, timers, commands: none, fairValues: none, look };
  const subscription = openInbox(sources, clock, take);
  return { events, timers, clock, subscription };
}

describe('the inbox', () => {
  it('numbers what comes, and its times never decrease', () => {
    const taken: Stamped[] = [];
    const { events, timers, clock } = opened((stamped) => taken.push(stamped));
    events.next(EVENT);
    clock.time = micros(5);
    timers.next(TIMER);
    clock.time = micros(11);
    events.next(EVENT);
    expect(taken).toEqual([
      { seq: 1, at: 10, input: EVENT },
      { seq: 2, at: 10, input: TIMER },
      { seq: 3, at: 11, input: EVENT },
    ]);
  });

  it('lets an input wait while another is being handled, with the time at which it came', () => {
    const told: string[] = [];
    const { events, timers, clock } = opened(({ seq, at }) => {
      told.push(`${seq} at ${at} begins`);
      if (seq === 1) for (const _ of [2, 3]) timers.next(TIMER);
      clock.time = micros(20);
      told.push(`${seq} ends`);
    });
    events.next(EVENT);
    events.next(EVENT);
    const first = ['1 at 10 begins', '1 ends', '2 at 10 begins', '2 ends', '3 at 10 begins', '3 ends'];
    expect(told).toEqual([...first, '4 at 20 begins', '4 ends']);
  });

  it('takes first what a look before an input brings up', () => {
    const taken: Stamped[] = [];
    let looks = 0;
    const { events, timers } = opened(
      (stamped) => taken.push(stamped),
      () => ++looks === 1 && timers.next(TIMER),
    );
    events.next(EVENT);
    expect(taken.map(({ seq, input }) => [seq, input.kind])).toEqual([
      [1, 'timer'],
      [2, 'test'],
    ]);
  });

  it('takes nothing in any more once it is closed', () => {
    const taken: Stamped[] = [];
    const { events, subscription } = opened((stamped) => taken.push(stamped));
    subscription.unsubscribe();
    events.next(EVENT);
    expect(taken).toEqual([]);
  });
});
