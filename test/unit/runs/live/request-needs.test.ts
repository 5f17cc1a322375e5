import { describe, expect, it } from 'vitest';
import { venueRulesOf } from '../../../../src/runs/backtest/backtest-setup.js';
import { engineOptionsOf } from '../../../../src/runs/live/engine-options.js';
import { requestNeedsOf, slowRemarks } from '../../../../src/runs/live/setting-checks.js';
import { FUTUUR } from '../../../../src/venues/futuur/protocol/profile.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { checkBotSettings, ofShard, SettingsError, SettingsSource } from '../../../../src/settings/index.js';

const MARKETS = 40;
/** Requests of a day that a guard has unless the file says otherwise. */
const GUARD_PER_DAY = 2_000;
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

async function readOf(text: string, profile = FUTUUR) {
  const source = SettingsSource.parse(text, 'config/bot.yaml', { PRIVATE: 'x' });
  const { settings } = checkBotSettings(source);
  const venue = venueRulesOf(settings);
  const random = seededRandom(1);
  const options = await engineOptionsOf({ settings, source, venue, profile, random, runId: 'test' });
  return { options, settings, source };
}
const optionsOf = async (text: string, profile = FUTUUR) => (await readOf(text, profile)).options;
/** Of a configuration that can run. */
async function needsOf(text: string, profile = FUTUUR) {
  const { options, settings, source } = await readOf(text, profile);
  const needs = requestNeedsOf(options, settings);
  expect(needs.problems).toEqual([]);
  return { ...needs, options, slow: slowRemarks(options, settings, source) };
}
/** The same, whose order rate never binds. */
const unpaced = (rateLimit: string, others = ''): string =>
  configuration(rateLimit, others).replace('params:', 'limits: { ordersPerMinute: 100000 }, params:');
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
    const hasty = unpaced('{ perMinute: 2000 }', 'quoting: { requoteEveryMs: 1000 }');
    expect(await complaint(hasty)).toBe(
      'config/bot.yaml:7:14 venue.rateLimit: the request budget does not suffice while all markets move: ' +
        'books of 40 markets every 60 s: 40; listing of orders, 7 requests, every 60 s: 7; ' +
        'holdings and balances every 60 s: 2; moves of 240 quotes, 20 a request every 1 s: 720; ' +
        'together 769 a minute, ' +
        "allowed 683.6 a minute (1940 a minute of which 25 % are for bursts; 998000 a day; a guard's share left out); " +
        "perDay binds: 1122740 of it would fit, beside a guard's share; or raise quoting.requoteEveryMs, " +
        'quoting.expiryMs or reconciliation.accountEveryMs, or quote at most 27 markets',
    );
  });

  it('counts a cancel and a create for a move where the venue changes no order', async () => {
    const batches = { ...FUTUUR.batches, cancel: 20 };
    const profile = { ...FUTUUR, batches, orders: { ...FUTUUR.orders, change: null } };
    const text = unpaced('{ perMinute: 2000 }', 'quoting: { requoteEveryMs: 10000 }');
    const { lines } = await needsOf(text, profile);
    expect(lines[1]).toContain('moves of 240 quotes, 20 a request every 10 s: 144;');
  });

  it('counts the pages of a listing, and that it looks for what ended meanwhile while markets move', async () => {
    const { lines } = await needsOf(configuration('{ perMinute: 2000 }'));
    expect(lines[0]).toContain('listing of orders, 5 requests, every 60 s: 5;');
    expect(lines[1]).toContain('listing of orders, 7 requests, every 60 s: 7;');
  });

  it('is refused when renewals do not fit though they share requests, and only then', async () => {
    const allowed = (perDay: number): string =>
      configuration(`{ perMinute: 2000, perDay: ${perDay} }`, 'quoting: { expiryMs: 120000 }');
    expect(await complaint(allowed(21_500))).toContain(
      'renewals of 240 orders, 20 a request every 90 s: 8; together 16.5 a minute, allowed 13.4 a minute',
    );
    const { lines } = await needsOf(allowed(32_000));
    expect(lines[0]).toContain('together 20.1 a minute');
    await expect(optionsOf(configuration('{ perMinute: 2000, perDay: 21500 }'))).resolves.toBeDefined();
  });

  it('says when it is the minute that binds', async () => {
    const hasty = 'quoting: { requoteEveryMs: 2000 }';
    expect(await complaint(unpaced('{ perMinute: 400, perDay: 1000000 }', hasty))).toContain(
      'allowed 255 a minute (340 a minute of which 25 % are for bursts; 998000 a day; ' +
        "a guard's share left out); perMinute binds: 546 of it would fit",
    );
  });
});

describe('reads of the account', () => {
  it('come as often as configured, less often where the requests are few, and at least every ten minutes', async () => {
    const guard = 'guard: { requestsPerMinute: 10, requestsPerDay: 1000 }';
    const everyS = async (perDay: number, others = ''): Promise<readonly number[]> => {
      const text = configuration(`{ perMinute: 2000, perDay: ${perDay} }`, `${guard}\n${others}`);
      const { settlement, mirror } = await optionsOf(text);
      return [settlement.routineListMs, mirror.holdingsEveryMs, mirror.balancesEveryMs].map(
        (ms) => ms / 1_000,
      );
    };
    expect(await everyS(30_000)).toEqual([60, 60, 60]);
    const [scarce] = await everyS(6_000);
    expect(scarce).toBeGreaterThan(310);
    expect(scarce).toBeLessThan(320);
    expect(await everyS(3_000)).toEqual([600, 600, 600]);
    expect(await everyS(6_000, 'reconciliation: { accountEveryMs: 900000 }')).toEqual([900, 900, 900]);
  });
});

describe('a configuration that lets fewer orders leave than its quotes need', () => {
  const limited = (ordersPerMinute: number, others: string): string =>
    configuration('{ perMinute: 2000 }', others).replace(
      'params:',
      `limits: { ordersPerMinute: ${ordersPerMinute} }, params:`,
    );

  it.each([
    ['requoteEveryMs: 30000', 639, 'quoting.requoteEveryMs moves them every 30 s'],
    ['expiryMs: 240000', 106, 'quoting.expiryMs cancels them unless they are renewed every 180 s'],
  ])('is refused with %s, and not with what it asks for', async (quoting, needed, why) => {
    const others = `quoting: { ${quoting} }`;
    expect(await complaint(limited(needed - 2, others))).toMatch(
      new RegExp(
        `^config/bot\\.yaml:9:\\d+ instances\\[0\\]\\.limits\\.ordersPerMinute: expected at least ${needed} ` +
          `for 240 quotes, found ${needed - 2}; ${why}$`,
      ),
    );
    await expect(optionsOf(limited(needed, others))).resolves.toBeDefined();
  });

  it('is slow where a round of all quotes takes more than a minute', async () => {
    const { slow } = await needsOf(limited(60, ''));
    expect(slow).toEqual([
      expect.stringMatching(
        /^config\/bot\.yaml:9:\d+ instances\[0\]\.limits\.ordersPerMinute: expected at least 319 for 240 quotes, found 60; slow: placing or moving all of them takes 313 s, not a minute$/,
      ),
    ]);
    expect((await needsOf(limited(319, ''))).slow).toEqual([]);
  });

  it('is slow where the requests let all quotes move in more than a minute', async () => {
    const slowed = async (perDay: number) =>
      (await needsOf(configuration(`{ perMinute: 2000, perDay: ${perDay} }`))).slow;
    const [remark, ...others] = await slowed(30_000);
    expect(others).toEqual([]);
    const needed = Number(
      /^config\/bot\.yaml:7:14 venue\.rateLimit: slow: moving all 240 quotes takes \d+\.\d s, .* at least perDay: (\d+), beside/.exec(
        remark!,
      )![1],
    );
    expect(await slowed(needed + GUARD_PER_DAY)).toEqual([]);
    expect(await slowed(needed + GUARD_PER_DAY - 500)).toHaveLength(1);
  });
});

describe('a stop that takes longer than it has', () => {
  const deep = (perMinute: number, others = ''): string =>
    configuration(`{ perMinute: ${perMinute} }`, others).replace('levels: 3', 'levels: 9');
  const small =
    'guard: { requestsPerMinute: 10, requestsPerDay: 2000 }\nreconciliation: { accountEveryMs: 600000 }';

  it('is refused where its requests leave too late', async () => {
    expect(await complaint(deep(21, small))).toContain(
      'config/bot.yaml:7:14 venue.rateLimit: a stop is given up before its orders are gone: cancelling 1440 orders and ' +
        'proving it takes 14 requests, which leave within 81.8 s, and it waits 60 s; expected at least perMinute: 14 and perDay: 20440',
    );
    await expect(optionsOf(deep(24, small))).resolves.toBeDefined();
  });

  it('is refused where a stop may take longer than the end of a lease, and asks for no guard there', async () => {
    const leased = (withdrawMs: number): string =>
      deep(
        2_000,
        `guard: { requestsPerMinute: 10, requestsPerDay: 10 }\nsharding: { of: 2, lease: { redis: "redis://one", leaseMs: 240000, withdrawMs: ${withdrawMs} } }`,
      );
    expect(await complaint(leased(84_999))).toMatch(
      /sharding\.lease\.withdrawMs: expected at least 85000, found 84999: a stop takes up to 85 s where answers were lost/,
    );
    const { options, slow } = await needsOf(leased(85_000));
    expect(slow.filter((text) => text.includes('guard.'))).toEqual([]);
    expect(options.budget.perMinute).toBe(2_000);
  });

  it('is refused for the guard of each shard with what the file has to say', async () => {
    const { settings, source } = await readOf(
      deep(2_000, 'guard: { requestsPerMinute: 20, requestsPerDay: 56 }\nsharding: { of: 2, shard: 1 }'),
    );
    const whole = ofShard(settings);
    const events = settings.events;
    const { instances } = settings;
    const shard = { ...whole, events, instances, guard: { ...whole.guard, requestsPerDay: 27 } };
    const inputs = {
      settings: shard,
      source,
      venue: venueRulesOf(shard),
      random: seededRandom(1),
      runId: 'test',
    };
    await expect(engineOptionsOf(inputs)).rejects.toThrow(
      /guard\.requestsPerDay: expected at least 56, found 27 for the guard of each of 2 shards: a guard withdraws/,
    );
    await expect(engineOptionsOf({ ...inputs, isOffline: true })).resolves.toBeDefined();
  });

  it('is refused where a guard could not withdraw as much', async () => {
    const guarded = (perDay: number): string =>
      deep(2_000, `guard: { requestsPerMinute: 10, requestsPerDay: ${perDay} }`);
    expect(await complaint(guarded(27))).toMatch(
      /^config\/bot\.yaml:10:\d+ guard\.requestsPerDay: expected at least 28, found 27: a guard withdraws 1440 orders with 14 requests, and the second half of its requests is spread over a day$/,
    );
    expect((await needsOf(guarded(28))).slow).toEqual([
      expect.stringMatching(
        /guard\.requestsPerMinute: slow: .* takes more than a minute; expected at least 14, found 10$/,
      ),
    ]);
  });

  it('is slow where a lost answer keeps it open for longer than those have who kill it', async () => {
    const patient = (clockWindowS: number): string =>
      configuration(`{ perMinute: 2000 }\n  clockWindowS: ${clockWindowS}`);
    expect((await needsOf(patient(95))).slow).toEqual([]);
    expect((await needsOf(patient(96))).slow).toEqual([
      'config/bot.yaml:8:17 venue.clockWindowS: slow: a stop may take 121 s where answers were lost, and is killed ' +
        'after 120 s; expected stop_grace_period (compose.yaml) and TimeoutStopSec (oddsmith.service) of 121 s, or a ' +
        'smaller clockWindowS',
    ]);
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
    const { lines } = await needsOf(many(1_000));
    expect(lines[0]).toContain('books of 1000 markets every 351.1 s: 170.9;');
    expect(lines[1]).toContain('; the rest moves all 2000 quotes every 12.3 s');
    expect(lines[3]).toBe(
      'books: each book is compared with a read every 351.1 s, within 25 % of the requests; ' +
        'a channel that falls silent goes unnoticed for at most 363.1 s, a connection that breaks unsaid for 15 s',
    );
  });

  it('of forty markets fit thirty thousand requests a day', async () => {
    const daily = configuration('{ perMinute: 2000, perDay: 30000 }');
    const { lines } = await needsOf(daily);
    expect(lines[0]).toContain('books of 40 markets every 500.6 s: 4.8;');
    expect(lines[3]).toContain('goes unnoticed for at most 512.6 s');
  });

  it('are compared no more often than is configured', async () => {
    const { lines } = await needsOf(
      configuration('{ perMinute: 2000 }', 'reconciliation: { booksEveryMs: 90000, booksShare: 1 }'),
    );
    expect(lines[3]).toContain('every 90 s, within 100 % of the requests');
  });
});

describe('a configuration that fits', () => {
  it('states what it needs and what an expiry costs', async () => {
    const { lines } = await needsOf(configuration('{ perMinute: 2000 }', 'quoting: { expiryMs: 240000 }'));
    expect(lines[0]).toMatch(/^requests while no market moves: .*together 51 a minute$/);
    expect(lines[2]).toBe(
      'requests allowed: 683.6 a minute (1940 a minute of which 25 % are for bursts; 998000 a day; ' +
        "a guard's share left out)",
    );
    expect(lines[4]).toBe(
      'expiry: the venue cancels an order 240 s after we last stated it; an order that nothing moves is renewed ' +
        'every 120 to 180 s, with 120 requests a minute at most and 4 at least, as the allowance lets them share requests, ' +
        'and each renewal puts it last in its queue',
    );
  });

  it.each([
    ['2000, perDay: 4000000', 'this fits: together 55 of 1455 requests a minute'],
    ['2000, perDay: 21500', 'this does not fit: together 16.5 of 13.4 requests a minute'],
  ])('states what an expiry would cost while there is none, with %s requests', async (perMinute, verdict) => {
    const { lines } = await needsOf(configuration(`{ perMinute: ${perMinute} }`));
    expect(lines[4]).toBe(
      'expiry: off; orders stand until they are cancelled. The shortest, quoting.expiryMs: 120000, would renew an ' +
        'order that nothing moves every 60 to 90 s, with 240 requests a minute at most and 8 at least, as the ' +
        `allowance lets them share requests, and each renewal would put it last in its queue; ${verdict}`,
    );
  });

  it('compares the limit of orders with what the file asks for', async () => {
    const said =
      'limits.ordersPerMinute allows 1200, 901 of them minute after minute, so 240 quotes move every 16 s when all ' +
      'markets move, the most mispriced first';
    const at = async (quoting: string): Promise<string> =>
      (await needsOf(configuration('{ perMinute: 2000 }', quoting))).lines.join('\n');
    expect(await at('')).toContain(`${said}\n`);
    expect(await at('quoting: { requoteEveryMs: 20000 }')).toContain(
      `${said}; quoting.requoteEveryMs asks for every 20 s\n`,
    );
  });

  it('says how many orders may stand, and how long a stop takes at most', async () => {
    const { lines } = await needsOf(configuration('{ perMinute: 2000 }'));
    expect(lines.join('\n')).toContain(
      'stop: at most 480 orders stand; 10 requests cancel them, 500 in one, and prove it',
    );
    expect(lines.join('\n')).toContain('given up after 85 s at most where answers were lost');
  });
});

describe('what fits', () => {
  it('says how many markets fit, which allowance binds, and what quotes lock', async () => {
    const told = async (limit: string, rest = '') => {
      const { lines } = await needsOf(configuration(limit, rest));
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
