import { describe, expect, it } from 'vitest';
import { readExchangeEvent, readExchangeMarket } from '../../../src/settings/exchange-problems.js';

describe('an event or market that is added to the bundled exchange', () => {
  it.each([
    [{ id: 'seven' }, 'id', 'expected an id, a positive integer, found "seven"'],
    [{ id: 7, title: ['Final'] }, 'title', 'expected text, found a list'],
    [{ id: 7, titel: 'Final' }, 'titel', 'unknown key; did you mean title?'],
  ])('is refused in the words of the configuration file: %j', (input, field, message) => {
    expect(readExchangeEvent(input)).toMatchObject({ ok: false, fields: { [field]: [message] } });
  });

  it('is refused where nothing is given', () => {
    expect(readExchangeMarket(null)).toEqual({
      ok: false,
      fields: { body: ['expected keys with values, found nothing'] },
    });
  });
});
