import { asyncScheduler, debounceTime, interval, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { StreamScheduler } from '../../../../src/core/strategy/streams.js';

/** A scheduler and the times at which its actions ran. */
const recorded = () => {
  const scheduler = new StreamScheduler();
  const ran: (readonly [string, number])[] = [];
  return { scheduler, ran, note: (name: string) => () => ran.push([name, scheduler.now()]) };
};

describe('the scheduler of streams', () => {
  it('stands still until it is moved', () => {
    const { scheduler, ran, note } = recorded();
    scheduler.schedule(note('now'));
    expect([scheduler.now(), ran, scheduler.nextDueMs()]).toEqual([0, [], 0]);
  });

  it('runs what is due in order of time, then of scheduling, and shows each its own time', () => {
    const { scheduler, ran, note } = recorded();
    scheduler.schedule(note('late'), 30);
    scheduler.schedule(note('first'), 10);
    scheduler.schedule(note('second'), 10);
    scheduler.advanceTo(20);
    expect(ran).toEqual([
      ['first', 10],
      ['second', 10],
    ]);
    expect([scheduler.now(), scheduler.nextDueMs()]).toEqual([20, 30]);
  });

  it('runs what an action schedules while it runs, if that is due, too', () => {
    const { scheduler, ran, note } = recorded();
    scheduler.schedule(() => scheduler.schedule(note('inner'), 5), 10);
    scheduler.schedule(note('between'), 12);
    scheduler.advanceTo(15);
    expect(ran).toEqual([
      ['between', 12],
      ['inner', 15],
    ]);
  });

  it('never goes back', () => {
    const { scheduler } = recorded();
    scheduler.advanceTo(10);
    scheduler.advanceTo(5);
    expect(scheduler.now()).toBe(10);
  });

  it('drops an action that was unsubscribed, also from within another', () => {
    const { scheduler, ran, note } = recorded();
    const dropped = scheduler.schedule(note('dropped'), 10);
    scheduler.schedule(() => dropped.unsubscribe(), 10);
    const early = scheduler.schedule(note('early'), 5);
    early.unsubscribe();
    scheduler.schedule(() => dropped.unsubscribe(), 1);
    scheduler.advanceTo(20);
    expect(ran).toEqual([]);
    expect(scheduler.nextDueMs()).toBeNull();
  });

  it('hands an action its state and lets it repeat itself', () => {
    const scheduler = new StreamScheduler();
    const states: (number | undefined)[] = [];
    scheduler.schedule<number>(
      function repeat(state) {
        states.push(state);
        if (state !== undefined && state < 3) this.schedule(state + 1, 10);
      },
      0,
      1,
    );
    scheduler.advanceTo(100);
    expect(states).toEqual([1, 2, 3]);
  });

  it('never runs an action with an infinite delay', () => {
    const { scheduler, ran, note } = recorded();
    scheduler.schedule(note('never'), Infinity);
    scheduler.advanceTo(1e15);
    expect([ran, scheduler.nextDueMs()]).toEqual([[], null]);
  });

  it('keeps nothing of a timer that has repeated a million times', () => {
    const scheduler = new StreamScheduler();
    const subscription = interval(1, scheduler).subscribe();
    scheduler.advanceTo(1_000_000);
    expect(scheduler.nextDueMs()).toBe(1_000_001);
    subscription.unsubscribe();
    expect(scheduler.nextDueMs()).toBeNull();
  });

  it('runs the time operators of Rx as their own virtual scheduler does', () => {
    const run = (scheduler: StreamScheduler | VirtualTimeScheduler, move: (ms: number) => void) => {
      const seen: (readonly [string, number])[] = [];
      const source = new Subject<number>();
      source
        .pipe(debounceTime(50, scheduler))
        .subscribe((value) => seen.push([`calm ${value}`, scheduler.now()]));
      timer(25, 40, scheduler).subscribe((count) => seen.push([`tick ${count}`, scheduler.now()]));
      for (let step = 0; step < 20; step++) {
        move(step * 17);
        if (step % 6 < 3) source.next(step);
      }
      return seen;
    };
    const ours = new StreamScheduler();
    const theirs = new VirtualTimeScheduler();
    const moveTheirs = (ms: number): void => {
      theirs.maxFrames = ms;
      theirs.flush();
      theirs.frame = ms;
    };
    expect(run(ours, (ms) => ours.advanceTo(ms))).toEqual(run(theirs, moveTheirs));
    expect(asyncScheduler.actions).toEqual([]);
  });
});
