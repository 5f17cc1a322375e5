import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputOf, isHeardTwice } from '../../../../src/venues/simulated/event-inputs.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { ExchangeEvent } from '../../../../src/exchange/contract.js';
import { Exchange } from '../../../../src/exchange/exchange.js';
import { feedInput } from '../../../../src/venues/futuur/protocol/read/frames.js';
import { messageOf } from '../../../../src/exchange-server/realtime/publisher.js';
import { timedCommands } from '../../../support/exchange/commands.js';
import { venueConfig } from '../../../support/exchange/test-venue.js';

const START = 1_767_225_600_000_000;

/** One input for every channel that carries it. */
function heardOverTheWire(event: ExchangeEvent, exchange: Exchange) {
  const message = messageOf(event, exchange);
  if (message === null) return [];
  const payload = JSON.parse(JSON.stringify(message.payload())) as unknown;
  return message.channels.map((channel) => feedInput(message.event, channel, payload));
}

describe('events of the exchange as inputs', () => {
  it('are what the wire gives, once on each channel', () => {
    fc.assert(
      fc.property(timedCommands, (commands) => {
        const exchange = new Exchange(venueConfig());
        let at = START;
        for (const { command, after } of commands) {
          at += after;
          for (const event of exchange.execute(command, at as Micros).events) {
            const direct = inputOf(event, exchange);
            const heard = heardOverTheWire(event, exchange);
            expect(heard).toEqual(direct === null ? [] : heard.map(() => direct));
            expect(heard.length).toBe(direct === null ? 0 : isHeardTwice(event.kind) ? 2 : 1);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
