/** Books that nobody can trade on cost no requests: a week of results would eat up the allowance. */
import { describe, expect, it } from 'vitest';
import { micros } from '../../../../../src/domain/units.js';
import { EVENT, eventOf, MARKET, MirrorDriver, START } from '../../../../support/mirror/mirror-driver.js';

const HOUR = 3_600_000;

/** How many books are asked for while nothing else happens. */
function booksReadWithin(driver: MirrorDriver, ms: number): number {
  let read = 0;
  for (const end = driver.now + ms * 1_000; driver.now < end; driver.wait(1_000))
    for (const sent of driver.send()) {
      if (sent.request.kind === 'read-book') read += 1;
      driver.answer(sent, driver.usualAnswer(sent.request));
    }
  return read;
}

const eventStatus = (
  driver: MirrorDriver,
  status: 'open' | 'resolved' | 'stopped' | 'paused',
): MirrorDriver =>
  driver.says(eventOf({ status })).apply({
    kind: 'market-status',
    eventId: EVENT,
    marketId: null,
    status,
    understood: true,
    venueTime: driver.now,
  });

describe('the book of a market that is over', () => {
  it.each(['resolved', 'stopped'] as const)('is not read any more once it is %s', (status) => {
    const driver = new MirrorDriver().goLive();
    expect(booksReadWithin(driver, HOUR)).toBeGreaterThan(50);
    eventStatus(driver, status);
    expect(booksReadWithin(driver, HOUR)).toBe(0);
    expect(driver.mirror.nextDue()).toBeNull();
  });

  it('is read at once when its event turns out to be open again', () => {
    const driver = eventStatus(new MirrorDriver().goLive(), 'resolved');
    expect(booksReadWithin(driver, HOUR)).toBe(0);
    eventStatus(driver, 'open');
    expect(booksReadWithin(driver, 1_000)).toBe(1);
    expect(driver.mirror.freshness(MARKET).state).toBe('live');
  });

  it('is not read after a connection that was lost either', () => {
    const driver = eventStatus(new MirrorDriver().goLive(), 'resolved');
    driver.connection('lost').join();
    expect(booksReadWithin(driver, HOUR)).toBe(0);
  });

  it('is read on while it is paused: it may open with the next message', () => {
    const driver = eventStatus(new MirrorDriver().goLive(), 'paused');
    expect(booksReadWithin(driver, HOUR)).toBeGreaterThan(50);
  });
});

describe('the book of a market that has not begun', () => {
  it('is read when its bet window opens, not before', () => {
    const event = eventOf({ betStart: micros(START + 2 * HOUR * 1_000) });
    const driver = new MirrorDriver({}, event).says(event).join();
    expect(booksReadWithin(driver, HOUR)).toBe(0);
    expect(booksReadWithin(driver, HOUR + 2_000)).toBe(1);
    expect(driver.mirror.freshness(MARKET).state).toBe('live');
    expect(booksReadWithin(driver, HOUR)).toBeGreaterThan(50);
  });
});
