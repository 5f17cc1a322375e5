import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Input } from '../../../../src/domain/inputs.js';
import type { HoldingReport } from '../../../../src/domain/orders.js';
import { micros, shares } from '../../../../src/domain/units.js';
import { NO_OWN_LEVELS } from '../../../../src/core/mirror/books/foreign-book.js';
import { EVENT, MARKET, MirrorDriver, START, levels } from '../../../support/mirror/mirror-driver.js';

/** Both the messages and one of their orders. */
const inSomeOrder = <T>(
  messages: fc.Arbitrary<T[]>,
): fc.Arbitrary<{ readonly told: T[]; readonly heard: T[] }> =>
  messages.chain((told) =>
    fc
      .shuffledSubarray([...told.keys()], { minLength: told.length })
      .map((order) => ({ told, heard: order.map((index) => told[index]!) })),
  );

const bookUpdate = fc
  .record({
    bid: fc.integer({ min: 1, max: 49 }),
    ask: fc.integer({ min: 51, max: 99 }),
    whole: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ bid, ask, whole }) => ({ bids: levels([bid, whole]), asks: levels([ask, whole]) }));

/** A status message: what it does not state stays as it was. */
const statement = fc.record(
  {
    status: fc.constantFrom('active', 'paused', 'stopped'),
    disabled: fc.boolean(),
    betEnd: fc.constantFrom(null, micros(START - 1), micros(START + 1e12)),
  },
  { requiredKeys: [] },
);

const statusInput = (stated: object, minute: number): Input => ({
  kind: 'market-status',
  understood: true,
  eventId: EVENT,
  marketId: MARKET,
  venueTime: micros(START + minute * 60_000_000),
  ...stated,
});

describe('messages in any order', () => {
  it('the newest book by venue time stands, and every older one after it is counted', () => {
    fc.assert(
      fc.property(
        inSomeOrder(
          fc.array(
            bookUpdate.map((book) => ({ book })),
            { minLength: 1, maxLength: 8 },
          ),
        ),
        ({ told, heard }) => {
          const driver = new MirrorDriver().goLive();
          let newest = -1;
          let older = 0;
          for (const message of heard) {
            const minute = told.indexOf(message);
            driver.update(message.book, minute * 60_000);
            if (minute < newest) older += 1;
            newest = Math.max(newest, minute);
          }
          const view = driver.mirror.view(MARKET, NO_OWN_LEVELS, driver.now);
          const last = told.at(-1)!.book;
          expect([view.bids[0]?.price, view.asks[0]?.price]).toEqual([
            last.bids.prices[0],
            last.asks.prices[0],
          ]);
          expect(view.bids[0]?.shares).toBe(last.bids.shares[0]);
          expect(driver.mirror.counters.framesOlder).toBe(older);
        },
      ),
    );
  });

  it('status messages end in the same tradability, whatever each of them states', () => {
    const after = (messages: readonly Input[]): unknown => {
      const driver = new MirrorDriver().goLive();
      for (const message of messages) driver.apply(message);
      const { status, disabled, betEnd } = driver.mirror.market(MARKET);
      return { status, disabled, betEnd, ...driver.mirror.tradability(MARKET, driver.now) };
    };
    fc.assert(
      fc.property(
        inSomeOrder(
          fc.array(
            statement.map((stated) => ({ stated })),
            { maxLength: 8 },
          ),
        ),
        ({ told, heard }) => {
          const inputOf = (message: (typeof told)[number]): Input =>
            statusInput(message.stated, told.indexOf(message));
          expect(after(heard.map(inputOf))).toEqual(after(told.map(inputOf)));
        },
      ),
    );
  });

  it('a status message twice is as good as once', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 6 }), (statements) => {
        const once = new MirrorDriver().goLive();
        const twice = new MirrorDriver().goLive();
        statements.forEach((stated, minute) => once.apply(statusInput(stated, minute)));
        // As on two channels that carry the same: the second copy may come after newer messages.
        statements.forEach((stated, minute) => {
          twice.apply(statusInput(stated, minute));
          if (minute > 0) twice.apply(statusInput(statements[minute - 1]!, minute - 1));
        });
        expect(twice.mirror.tradability(MARKET, START)).toEqual(once.mirror.tradability(MARKET, START));
      }),
    );
  });

  it('a read of holdings and frames about them end in the frames, whichever comes first', () => {
    const report = (whole: number): HoldingReport => ({
      eventId: EVENT,
      marketId: MARKET,
      position: 'long',
      currency: 'OOM',
      shares: shares(whole * 100),
      purchasesAmount: null,
    });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        (numbers, answeredAfter) => {
          const driver = new MirrorDriver().goLive();
          const sent = driver.issue({ kind: 'read-holdings' });
          numbers.forEach((whole, index) => {
            driver.wait(1).apply({ kind: 'holding', holding: report(whole) });
            if (index === answeredAfter % numbers.length)
              driver.answer(sent, { kind: 'read-holdings', holdings: [report(99)] });
          });
          expect(driver.mirror.held(MARKET, 'long', 'OOM')).toBe(numbers.at(-1)! * 100);
        },
      ),
    );
  });
});
