import { describe, expect, it } from 'vitest';
import { venueRulesOf } from '../../../../src/runs/backtest/backtest-setup.js';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import { requestNeedsOf } from '../../../../src/runs/live/setting-checks.js';
import { FUTUUR } from '../../../../src/venues/futuur/protocol/profile.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { checkBotSettings, SettingsError, SettingsSource } from '../../../../src/settings/index.js';

const MARKETS = 40;
const ids = Array.from({ length: MARKETS }, (_, at) => 1_000 + at);

/** Forty markets, one instance with three levels a side, on a venue with this allowance and these other keys. */
const configuration = (rateLimit: string, others = ''): string => `currencyMode: play_money
venue:
  baseUrl: https://venue.example
  realtime: { key: k, cluster: us2 }
  publicKey: pk
  privateKey: \${PRIVATE}
  rateLimit: ${rateLimit}
events: [{ id: 1, markets: [${ids.map((id) => `{ id: ${id} }`).join(', ')}] }]
instances: [{ name: a, strategy: fixed-spread, markets: [${ids.join(', ')}], params: { levels: 3 } }]
${others}`;

async function optionsOf(text: string, profile = FUTUUR) {
  const source = SettingsSource.parse(text, 'config/bot.yaml', { PRIVATE: 'x' });
  const { settings } = checkBotSettings(source);
  const venue = venueRulesOf(settings);
  return engineOptionsOf({ settings, source, venue, profile, random: seededRandom(1), runId: 'test' });
}
const complaint = async (text: string): Promise<string> => {
  const error: unknown = await optionsOf(text).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SettingsError);
  return (error as SettingsError).message;
};

describe('a configuration that the venue cannot serve', () => {
  it('is refused when its orders are to expire and the venue lets none', async () => {
    const profile = { ...FUTUUR, name: 'other', orders: { ...FUTUUR.orders, expire: false } };
    const text = configuration('{ perMinute: 2000 }', 'quoting: { expiryMs: 120000 }');
    await expect(optionsOf(text, profile)).rejects.toThrow(
      /config\/bot\.yaml:\d+:\d+ quoting\.expiryMs: other does not cancel orders at a time that they state; leave it out/,
    );
    await expect(optionsOf(text)).resolves.toBeDefined();
  });
});

describe('a configuration that needs more requests than it may make', () => {
  it('is refused when moves do not fit, with what binds and what would fit', async () => {
    const hasty = configuration('{ perMinute: 2000 }', 'quoting: { requoteEveryMs: 1000 }');
    expect(await complaint(hasty)).toBe(
      'config/bot.yaml:7:14 venue.rateLimit: the request budget does not suffice while all markets move: ' +
        'books of 40 markets every 60 s: 40; listing of orders, 5 requests, every 60 s: 5; ' +
        'holdings and balances every 60 s: 2; moves of 240 quotes, 20 a request every 1 s: 720; ' +
        'together 767 a minute, ' +
        "allowed 683.6 a minute (1940 a minute of which 25 % are for bursts; 998000 a day; a guard's share left out); " +
        "perDay binds: 1119820 of it would fit, beside a guard's share; or raise quoting.requoteEveryMs, " +
        'quoting.expiryMs or reconciliation.accountEveryMs, or quote at most 28 markets',
    );
  });

  it('counts a cancel and a create for a move where the venue changes no order', async () => {
    const batches = { ...FUTUUR.batches, cancel: 20 };
    const profile = { ...FUTUUR, batches, orders: { ...FUTUUR.orders, change: null } };
    const text = configuration('{ perMinute: 2000 }', 'quoting: { requoteEveryMs: 10000 }');
    const { lines } = requestNeedsOf(await optionsOf(text, profile));
    expect(lines[1]).toContain('moves of 240 quotes, 20 a request every 10 s: 144;');
  });

  it('counts that a listing looks for what ended meanwhile while markets move', async () => {
    const { lines } = requestNeedsOf(await optionsOf(configuration('{ perMinute: 2000 }')));
    expect(lines[0]).toContain('listing of orders, 3 requests, every 60 s: 3;');
    expect(lines[1]).toContain('listing of orders, 5 requests, every 60 s: 5;');
  });

  it('is refused when renewals do not fit, and only then', async () => {
    const allowance = '{ perMinute: 2000, perDay: 200000 }';
    expect(await complaint(configuration(allowance, 'quoting: { expiryMs: 120000 }'))).toContain(
      'renewals of 240 orders every 60 s: 240;',
    );
    await expect(optionsOf(configuration(allowance))).resolves.toBeDefined();
  });

  it('says when it is the minute that binds', async () => {
    const hasty = 'quoting: { requoteEveryMs: 2000 }';
    expect(await complaint(configuration('{ perMinute: 400, perDay: 1000000 }', hasty))).toContain(
      'allowed 255 a minute (340 a minute of which 25 % are for bursts; 998000 a day; ' +
        "a guard's share left out); perMinute binds: 543 of it would fit",
    );
  });
});

describe('silent books', () => {
  const many = (count: number): string => {
    const numbers = Array.from({ length: count }, (_, at) => 1_000 + at);
    const markets = numbers.map((id) => `{ id: ${id} }`).join(', ');
    return configuration('{ perMinute: 2000 }')
      .replace(/markets: \[\{.*\] \}\]/, `markets: [${markets}] }]`)
      .replace(/markets: \[1000, .*?\]/, `markets: [${numbers.join(', ')}]`)
      .replace('levels: 3', 'levels: 1');
  };

  it('of a thousand markets fit two thousand requests a minute', async () => {
    const { problem, lines } = requestNeedsOf(await optionsOf(many(1_000)));
    expect(problem).toBeNull();
    expect(lines[0]).toContain('books of 1000 markets every 351.1 s: 170.9;');
    expect(lines[1]).toContain('; the rest moves all 2000 quotes every 11.9 s');
    expect(lines[3]).toBe(
      'books: each book is compared with a read every 351.1 s, within 25 % of the requests; ' +
        'a channel that falls silent goes unnoticed for at most 363.1 s, a connection that breaks unsaid for 15 s',
    );
  });

  it('of forty markets fit thirty thousand requests a day', async () => {
    const daily = configuration('{ perMinute: 2000, perDay: 30000 }');
    const { problem, lines } = requestNeedsOf(await optionsOf(daily));
    expect(problem).toBeNull();
    expect(lines[0]).toContain('books of 40 markets every 500.6 s: 4.8;');
    expect(lines[3]).toContain('goes unnoticed for at most 512.6 s');
  });

  it('are compared no more often than is configured', async () => {
    const { lines } = requestNeedsOf(
      await optionsOf(
        configuration('{ perMinute: 2000 }', 'reconciliation: { booksEveryMs: 90000, booksShare: 1 }'),
      ),
    );
    expect(lines[3]).toContain('every 90 s, within 100 % of the requests');
  });
});

describe('a configuration that fits', () => {
  it('states what it needs and what an expiry costs', async () => {
    const options = await optionsOf(configuration('{ perMinute: 2000 }', 'quoting: { expiryMs: 240000 }'));
    const { problem, lines } = requestNeedsOf(options);
    expect(problem).toBeNull();
    expect(lines[0]).toMatch(/^requests while no market moves: .*together 165 a minute$/);
    expect(lines[2]).toBe(
      'requests allowed: 683.6 a minute (1940 a minute of which 25 % are for bursts; 998000 a day; ' +
        "a guard's share left out)",
    );
    expect(lines[4]).toBe(
      'expiry: the venue cancels an order 240 s after we last stated it; one that nothing moves is renewed every ' +
        '120 to 180 s, at most 120 requests a minute, and each renewal puts it last in its queue',
    );
  });

  it.each([
    ['2000, perDay: 4000000', 'which fits: together 285 of 1455 a minute'],
    ['400', 'which does not fit: together 285 of 255 a minute'],
  ])('states what an expiry would cost while there is none, with %s requests', async (perMinute, verdict) => {
    const { problem, lines } = requestNeedsOf(await optionsOf(configuration(`{ perMinute: ${perMinute} }`)));
    expect(problem).toBeNull();
    expect(lines[4]).toBe(
      'expiry: off; orders stand until they are cancelled. With the least, quoting.expiryMs: 120000, one that ' +
        'nothing moves would be renewed every 60 to 90 s, at most 240 requests a minute, and each renewal would put ' +
        `it last in its queue; ${verdict}`,
    );
  });

  it('compares the limit of orders with what the file asks for', async () => {
    const said = 'limits.ordersPerMinute allows 1200, so 240 quotes move every 12 s when all markets move';
    const at = async (quoting: string): Promise<string> =>
      requestNeedsOf(await optionsOf(configuration('{ perMinute: 2000 }', quoting))).lines.join('\n');
    expect(await at('quoting: { requoteEveryMs: 20000 }')).toContain(`${said}, the most mispriced first\n`);
    expect(await at('quoting: { requoteEveryMs: 10000 }')).toContain(
      'quoting.requoteEveryMs asks for every 10 s',
    );
  });

  it('says how many orders may stand, and how long a stop takes at most', async () => {
    const { lines } = requestNeedsOf(await optionsOf(configuration('{ perMinute: 2000 }')));
    expect(lines.join('\n')).toContain(
      'stop: at most 480 orders stand; 10 requests cancel them, 500 in one, and prove it',
    );
    expect(lines.join('\n')).toContain('given up after 85 s at most where answers were lost');
  });
});

describe('what fits', () => {
  it('says how many markets fit, which allowance binds, and what quotes lock', async () => {
    const told = async (limit: string, rest = '') => {
      const { lines } = requestNeedsOf(await optionsOf(configuration(limit, rest)));
      return lines.filter((line) => /^(?:markets|cash):/.test(line));
    };
    const [free, cash] = await told('{ perMinute: 2000 }');
    expect(free).toMatch(
      /^markets: \d+ are quoted; none costs requests by itself, .*; rateLimit\.perDay binds$/,
    );
    expect(cash).toMatch(/^cash: quotes of instance \w+ lock at most [\d.]+, by /);
    const moving = 'quoting: { requoteEveryMs: 60000 }';
    const fitting = (line: string | undefined): number =>
      Number(/about (\d+) of this kind fit/.exec(line!)![1]);
    const [byDay] = await told('{ perMinute: 2000 }', moving);
    const [byMinute] = await told('{ perMinute: 2000, perDay: 4000000 }', moving);
    expect(byMinute).toContain('rateLimit.perMinute binds');
    expect(fitting(byMinute)).toBeGreaterThan(fitting(byDay));
  });
});
