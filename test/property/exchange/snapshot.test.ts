import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros, Money } from '../../../src/domain/units.js';
import type { ExchangeConfig, ExchangeSnapshot } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import { audit } from '../../support/exchange/auditor.js';
import { timedCommands, type TimedCommand } from '../../support/exchange/commands.js';
import { venueConfig } from '../../support/exchange/test-venue.js';

const START = 1_767_225_600_000_000;

const config: fc.Arbitrary<ExchangeConfig> = fc
  .record({ processingDelayMs: fc.constantFrom(0, 0, 700), rate: fc.integer({ min: -30, max: 60 }) })
  .map(({ processingDelayMs, rate }) =>
    venueConfig({
      exchange: {
        processingDelayMs,
        fees: {
          play_money: { taker: 0 as Money, maker: 0 as Money },
          real_money: { taker: 1_000 as Money, maker: (rate * 37) as Money },
        },
        retention: { orders: 7, trades: 5, wagerActions: 9 },
      },
    }),
  );

class Runner {
  private at = START;

  run(exchange: Exchange, { command, after }: TimedCommand) {
    this.at += after;
    return exchange.execute(command, this.at as Micros);
  }
}

const reread = (snapshot: ExchangeSnapshot): ExchangeSnapshot =>
  JSON.parse(JSON.stringify(snapshot)) as ExchangeSnapshot;

describe('an exchange under any commands', () => {
  test('adds up after each of them', () => {
    fc.assert(
      fc.property(config, timedCommands, (settings, commands) => {
        const exchange = new Exchange(settings);
        const runner = new Runner();
        for (const command of commands) {
          runner.run(exchange, command);
          audit(exchange, { fees: settings.fees, mayCross: false });
        }
      }),
      { numRuns: 150 },
    );
  });

  test('is deterministic: the same commands at the same times give the same answers and events', () => {
    fc.assert(
      fc.property(config, timedCommands, (settings, commands) => {
        const [one, other] = [new Exchange(settings), new Exchange(settings)];
        const [first, second] = [new Runner(), new Runner()];
        for (const command of commands) {
          expect(second.run(other, command)).toEqual(first.run(one, command));
        }
        expect(other.snapshot()).toEqual(one.snapshot());
      }),
      { numRuns: 50 },
    );
  });

  test('restored from its snapshot goes on as if nothing had happened', () => {
    fc.assert(
      fc.property(config, timedCommands, timedCommands, (settings, before, after) => {
        const exchange = new Exchange(settings);
        const runner = new Runner();
        for (const command of before) runner.run(exchange, command);
        const saved = reread(exchange.snapshot());
        const restored = Exchange.restore(saved);
        expect(reread(restored.snapshot())).toEqual(saved);
        const second = Object.assign(new Runner(), runner);
        for (const command of after) {
          expect(second.run(restored, command)).toEqual(runner.run(exchange, command));
        }
        expect(restored.ledger()).toEqual(exchange.ledger());
      }),
      { numRuns: 150 },
    );
  });

  test('a snapshot of another format is refused', () => {
    const exchange = new Exchange(venueConfig());
    expect(() => Exchange.restore({ ...exchange.snapshot(), format: 99 })).toThrow(/format 99/);
  });
});
