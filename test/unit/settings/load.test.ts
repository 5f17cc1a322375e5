import { describe, expect, it } from 'vitest';
import {
  checkBotSettings,
  configurationJsonSchema,
  secretsOf,
  SettingsError,
  SettingsSource,
} from '../../../src/settings/index.js';

const VALID = `currencyMode: play_money
venue:
  baseUrl: https://venue.example.org
  realtime: { key: abc, cluster: us2 }
  publicKey: \${PUBLIC:-pk}
  privateKey: \${PRIVATE}
events:
  - id: 873
    markets:
      - { id: 2231, tickSize: "0.01" }
instances:
  - name: basic
    strategy: fixed-spread
    markets: [2231]
    params: { halfSpread: "0.02" }
`;

const ENVIRONMENT = { PRIVATE: 'secret: [1]' };
const check = (text: string, environment: Record<string, string> = ENVIRONMENT) =>
  checkBotSettings(SettingsSource.parse(text, 'bot.yaml', environment)).settings;

function problemsOf(text: string, environment?: Record<string, string>): string {
  try {
    check(text, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('a bot configuration', () => {
  it('is read with its defaults, decimals as integers', () => {
    const settings = check(VALID);
    expect(settings.events[0]!.markets[0]).toMatchObject({
      id: '2231',
      tickSize: 100,
      ownership: 'exclusive',
    });
    expect(settings.venue).toMatchObject({
      publicKey: 'pk',
      privateKey: 'secret: [1]',
      requestTimeoutMs: 5000,
    });
    expect(settings.venue?.fees).toEqual({
      play_money: { taker: 0, maker: 0 },
      real_money: { taker: 1_000, maker: 0 },
    });
    expect(settings.quoting.preCloseMs).toBe(2000);
    expect(settings.instances[0]!.limits.maxOrderShares).toBe(100_000);
  });

  it('takes outcomes for exhaustive only where they are several that exclude each other', () => {
    const withEvent = (rest: string): string =>
      VALID.replace('      - { id: 2231, tickSize: "0.01" }\n', `      - { id: 2231 }\n${rest}`);
    const other = '      - { id: 2232 }\n';
    const exhaustive = '    exhaustive: true\n';
    const problem = 'expected false, but for several markets of which exactly one resolves long';
    expect(check(withEvent(other + exhaustive)).events[0]).toMatchObject({ exhaustive: true });
    expect(check(withEvent(other)).events[0]).toMatchObject({ exhaustive: false });
    expect(problemsOf(withEvent(exhaustive))).toContain(`exhaustive: ${problem}`);
    const apart = `${other}    resolutionMode: non_exclusive\n`;
    expect(problemsOf(withEvent(apart + exhaustive))).toContain(`exhaustive: ${problem}`);
  });

  it('says what kind of value a key takes, and what stands there', () => {
    const list = 'expected a list (items in [ ], or lines below that begin with "- ")';
    expect(problemsOf(VALID.replace('markets: [2231]', 'markets: 2231'))).toBe(
      `bot.yaml:14:14 instances[0].markets: ${list}, found 2231`,
    );
    expect(problemsOf(VALID.replace('  - name: basic', '    name: basic'))).toContain(
      `instances: ${list}, found keys with values`,
    );
    expect(problemsOf(VALID.replace('params: {', 'params: [ {').replace('"0.02" }', '"0.02" } ]'))).toContain(
      'instances[0].params: expected keys with values, found a list',
    );
    expect(problemsOf('')).toContain('expected keys with values, found nothing');
  });

  it.each([
    ['venue', '{ requestTimeoutMs: 3000000000 }', 'venue.requestTimeoutMs', 10, 600_000],
    ['venue', '{ requestTimeoutMs: 0 }', 'venue.requestTimeoutMs', 10, 600_000],
    ['reconciliation', '{ accountEveryMs: 86400001 }', 'reconciliation.accountEveryMs', 1_000, 86_400_000],
    ['reconciliation', '{ booksEveryMs: 0 }', 'reconciliation.booksEveryMs', 1_000, 86_400_000],
    ['tape', '{ pollMs: 0 }', 'tape.pollMs', 100, 86_400_000],
  ])('bounds a time that somebody waits for: %s %s', (section, found, path, min, max) => {
    const given = found.slice(2, -2);
    const text =
      section === 'venue'
        ? VALID.replace('venue:\n', `venue:\n  ${given}\n`)
        : `${VALID}${section}: ${found}\n`;
    const expected = `milliseconds, an integer from ${min} to ${max}`;
    expect(problemsOf(text)).toContain(`${path}: expected ${expected}, found ${given.split(': ')[1]}`);
  });

  const venueWith = (line: string): string => VALID.replace('venue:\n', `venue:\n  ${line}\n`);

  it('refuses bounds of the venue that nothing can meet', () => {
    expect(problemsOf(venueWith("minAmount: '10'\n  maxAmount: '1'"))).toBe(
      'bot.yaml:3:14 venue.minAmount: expected at most maxAmount, which is 1, found 10',
    );
    expect(problemsOf(venueWith('rateLimit: { perMinute: 100, perDay: 99 }'))).toContain(
      'venue.rateLimit.perMinute: expected at most rateLimit.perDay, which is 99, found 100',
    );
  });

  it('refuses a greatest amount of ours below the least of the venue', () => {
    const text = `${venueWith("minAmount: '10'")}    limits: { maxOrderAmount: 9.5 }\n`;
    expect(problemsOf(text)).toMatch(
      /^bot\.yaml:17:31 instances\[0\]\.limits\.maxOrderAmount: expected at least venue\.minAmount, which is 10, found 9\.5/,
    );
  });

  it.each(['../../../../esc', '.hidden', 'a/b', '', 'x'.repeat(65), 'a\\b'])(
    'refuses a venue named %j: files are named after it',
    (name) => {
      expect(problemsOf(venueWith(`name: ${JSON.stringify(name)}`))).toMatch(
        /^bot\.yaml:3:9 venue\.name: expected at most 64 letters, digits, spaces and \. _ -/,
      );
    },
  );

  it.each(['futuur', 'Börse 2', 'venue.example_1-b'])('takes a venue named %s', (name) => {
    expect(check(venueWith(`name: ${name}`)).venue?.name).toBe(name);
  });

  it('refuses a password in an address, and does not repeat it', () => {
    const text = problemsOf(VALID.replace('https://', 'https://me:hunter2@'));
    expect(text).toMatch(/^bot\.yaml:3:12 venue\.baseUrl: expected a URL without user name and password/);
    expect(text).not.toContain('hunter2');
    const query = problemsOf(VALID.replace('.org', '.org/?token=hunter2'));
    expect(query).toMatch(/^bot\.yaml:3:12 venue\.baseUrl: expected a URL without \? and #/);
    expect(query).not.toContain('hunter2');
    const host = VALID.replace('cluster: us2', 'host: "wss://me:hunter2@ws.example.org"');
    expect(problemsOf(host)).toMatch(/venue\.realtime\.host: expected a host name or address alone/);
    expect(problemsOf(host)).not.toContain('hunter2');
  });

  it.each([
    ["stateDir: ''", 'stateDir: expected a path'],
    ["stateDir: ' '", 'stateDir: expected a path'],
    ["http: { host: '' }", 'http.host: expected a host name'],
    ["exchange: { dataDir: '' }", 'exchange.dataDir: expected a path'],
    ["exchange: { host: '' }", 'exchange.host: expected a host name'],
  ])('refuses an empty place: %s', (line, expected) => {
    expect(problemsOf(`${VALID}${line}\n`)).toContain(expected);
  });

  it.each([
    ['startOrders: q', 'startOrders: expected one of cancel, adopt, found "q"'],
    ['currency: 5', 'currency: expected one of OOM, USDC, USDT, USD, found 5'],
    ['backtest: { recordings: [] }', 'backtest.recordings: expected at least one recording'],
    ["backtest: { recordings: [''] }", 'backtest.recordings[0]: expected text, found nothing'],
    [
      'backtest: { recordings: [a], scenarios: { expected: { power: 0 } } }',
      'backtest.scenarios.expected.power: expected more than 0, found 0',
    ],
    [
      'exchange: { participants: [{ kind: lmrs }] }',
      'exchange.participants[0].kind: expected one of noise, informed, lmsr, maker, recording, found "lmrs"',
    ],
    [
      'exchange: { participants: [{ kind: lmsr, account: 1, markets: [], b: 1000001 }] }',
      'exchange.participants[0].markets: expected at least 1 item, found an empty list',
    ],
  ])('says in its own words what it expects: %s', (line, expected) => {
    expect(problemsOf(`${VALID}${line}\n`)).toContain(expected);
  });

  it('takes one document', () => {
    expect(problemsOf(`${VALID}---\na: 1\n`).split('\n')[0]).toBe(
      'bot.yaml:16:1 expected one document, found another behind this line (---)',
    );
  });

  it('refuses values of a sweep that are listed twice, however they are written', () => {
    const sweep = "sweep: { parameters: { instances.basic.params.shares: [10, '10.0', 20] } }";
    expect(problemsOf(`${VALID}${sweep}\n`)).toBe(
      'bot.yaml:16:60 sweep.parameters.instances.basic.params.shares[1]: the value 10.0 is listed twice',
    );
  });

  it('says of the file of an exchange alone which command it is for', () => {
    expect(problemsOf('exchange:\n  port: 4010\n')).toMatch(
      /^bot\.yaml:\d+:\d+ exchange: this file describes an exchange without a bot: start it with oddsmith exchange/,
    );
  });

  it('reports an unknown key at its place, with the nearest known one', () => {
    expect(problemsOf(VALID.replace('baseUrl', 'baseURL'))).toContain(
      'bot.yaml:3:3 venue.baseURL: unknown key; did you mean baseUrl?',
    );
  });

  it('reports an unknown key deep inside a list', () => {
    expect(problemsOf(VALID.replace('tickSize', 'tickSzie'))).toContain(
      'bot.yaml:10:21 events[0].markets[0].tickSzie: unknown key; did you mean tickSize?',
    );
  });

  it('lists the known keys when none is near', () => {
    expect(problemsOf(`${VALID}zzzzzz: 1\n`)).toContain('known here: mode, currencyMode, currency,');
  });

  it('says which unit it expects', () => {
    expect(problemsOf(`${VALID}quoting: { preCloseMs: 2s }\n`)).toMatch(
      /bot\.yaml:16:24 quoting\.preCloseMs: expected milliseconds as an integer.*"2s"/,
    );
    expect(problemsOf(VALID.replace('"0.01"', '"0.03"'))).toMatch(/bot\.yaml:10:31 .*tickSize.*divides/);
  });

  it('refuses more events than a connection may join channels, with the number', () => {
    const limited = (most: number) =>
      VALID.replace('cluster: us2', `cluster: us2, channelsPerConnection: ${most}`);
    expect(problemsOf(limited(3))).toBe('');
    expect(problemsOf(limited(2))).toContain(
      'venue.realtime.channelsPerConnection: expected at least 3, found 2: 1 events need a channel each, the venue ' +
        'and the account one more each; with 2 at most 0 events can be watched',
    );
  });

  it('takes auto or a price step for the grid of a market, and auto when nothing is said', () => {
    const tickOf = (text: string) => check(text).events[0]!.markets[0]!.tickSize;
    expect(tickOf(VALID)).toBe(100);
    expect(tickOf(VALID.replace('"0.01"', 'auto'))).toBe('auto');
    expect(tickOf(VALID.replace(/,? tickSize: "0.01"/, ''))).toBe('auto');
  });

  it('refuses an expiry that is too short', () => {
    expect(problemsOf(`${VALID}quoting: { expiryMs: 119999 }\n`)).toContain('at least 120000');
    expect(check(`${VALID}quoting: { expiryMs: 120000 }\n`).quoting.expiryMs).toBe(120_000);
    expect(check(VALID).quoting.expiryMs).toBeNull();
  });

  it('names a missing environment variable and where it is used', () => {
    expect(problemsOf(VALID, {})).toContain('bot.yaml:6:15 the environment variable PRIVATE is not set');
  });

  it('needs no variable of a key where nobody enters the account, and says which are not set', () => {
    const text = `${VALID}guard: { publicKey: pk, privateKey: "\${GUARD}" }\nhttp: { token: "\${TOKEN}" }\n`;
    const source = SettingsSource.parse(text, 'bot.yaml', {}, [], 'no keys');
    expect(checkBotSettings(source).settings.venue?.privateKey).toBe('the variable PRIVATE is not set');
    expect(source.unsetKeys.map(({ path, at }) => [path, at.name])).toEqual([
      ['venue.privateKey', 'PRIVATE'],
      ['guard.privateKey', 'GUARD'],
      ['http.token', 'TOKEN'],
    ]);
    expect(
      SettingsSource.parse(text, 'bot.yaml', { PRIVATE: 'p', GUARD: 'g', TOKEN: 't' }).unsetKeys,
    ).toEqual([]);
  });

  it('needs every other variable there, too', () => {
    const text = VALID.replace('https://venue.example.org', '${PRIVATE}');
    expect(() => SettingsSource.parse(text, 'bot.yaml', {}, [], 'no keys')).toThrow(
      /^bot\.yaml:3:12 the environment variable PRIVATE is not set$/,
    );
  });

  it('refuses a private key as the default of a reference', () => {
    expect(problemsOf(VALID.replace('${PRIVATE}', '${OTHER:-my-secret-key}'))).toMatch(
      /bot\.yaml:6:15 venue\.privateKey: a private key must not stand in the file/,
    );
  });

  it('refuses a literal private key without repeating it', () => {
    const text = problemsOf(VALID.replace('${PRIVATE}', 'my-secret-key'));
    expect(text).toMatch(/bot\.yaml:6:15 venue\.privateKey: a private key must not stand in the file/);
    expect(text).not.toContain('my-secret-key');
  });

  it('refuses a market that two instances quote, and one that no event has', () => {
    const twice = `${VALID}  - { name: other, strategy: fixed-spread, markets: [2231, 9] }\n`;
    expect(problemsOf(twice)).toMatch(/instances\[1\]\.markets\[0\]: market 2231 is already quoted by basic/);
    expect(problemsOf(twice)).toMatch(/instances\[1\]\.markets\[1\]: market 9 is not among/);
  });

  it('refuses a currency of the other mode', () => {
    expect(problemsOf(VALID.replace('play_money', 'real_money'))).toContain(
      'OOM is not a currency of real_money',
    );
  });

  it('reports text that is no YAML with its line', () => {
    expect(problemsOf('a: [1\nb: 2\n')).toMatch(/^bot\.yaml:\d+:\d+ /);
  });

  it('reports several problems at once', () => {
    expect(
      problemsOf(VALID.replace('id: 873', 'id: x').replace('baseUrl', 'url')).split('\n').length,
    ).toBeGreaterThan(1);
  });

  it('has a JSON schema that knows every top-level key', () => {
    const schema = configurationJsonSchema() as { properties: Record<string, unknown> };
    expect(Object.keys(schema.properties)).toContain('instances');
  });
});

describe('a configuration for paper', () => {
  const PAPER = `mode: paper\n${VALID}`;

  it('needs neither the keys nor their variables, and has none', () => {
    const { venue } = check(PAPER, {});
    expect(venue).toMatchObject({ publicKey: 'none', privateKey: 'none' });
    const keyless = PAPER.replaceAll(/^ {2}(public|private)Key.*\n/gm, '');
    expect(check(keyless, {}).venue).toMatchObject({ publicKey: 'none' });
    expect(problemsOf(VALID, {})).toContain('the environment variable PRIVATE is not set');
  });

  it('still needs the token of its commands', () => {
    expect(problemsOf(`${PAPER}http: { token: '\${TOKEN}' }\n`, {})).toContain('variable TOKEN is not set');
  });

  it('needs a venue to listen to', () => {
    const bundled = PAPER.replace(/venue:\n( {2}.*\n)+/, 'backtest: { recordings: [a.ndjson] }\n');
    expect(problemsOf(bundled)).toContain('bot.yaml:1:7 mode: paper trading listens to a venue');
  });
});

describe('the guard of a configuration', () => {
  it('lives on a share of the allowance unless it has a key of its own', () => {
    expect(check(VALID).guard).toMatchObject({ silenceMs: 5_000, requestsPerMinute: 60, publicKey: null });
    const poor = VALID.replace('  baseUrl', '  rateLimit: { perMinute: 100 }\n  baseUrl');
    expect(problemsOf(poor)).toMatch(/guard\.requestsPerMinute: more than half of the 100 requests a minute/);
    const keyed = `${poor}guard:\n  publicKey: pk\n  privateKey: \${PRIVATE}\n`;
    expect(check(keyed).guard.publicKey).toBe('pk');
  });

  it('needs both halves of its key, and the private one from the environment', () => {
    expect(problemsOf(`${VALID}guard: { publicKey: pk }\n`)).toContain('both publicKey and privateKey');
    expect(problemsOf(`${VALID}guard: { publicKey: pk, privateKey: sk }\n`)).toContain(
      'write ${ODDSMITH_GUARD_PRIVATE_KEY} and set the variable',
    );
  });

  it('takes a token for commands from the environment alone', () => {
    const token = 'a-token-that-is-long';
    expect(problemsOf(`${VALID}http: { token: ${token} }\n`)).toContain('a token must not stand in the file');
    const { http, ...rest } = check(`${VALID}http:\n  token: \${TOKEN}\n`, { ...ENVIRONMENT, TOKEN: token });
    expect(http.token).toBe(token);
    expect(secretsOf({ http, ...rest })).toEqual([ENVIRONMENT.PRIVATE, token]);
  });
});

describe('sources of fair values', () => {
  const MARKETS = 'markets: [{ id: 2231, key: HOME }]';
  const listed = (...sources: readonly string[]): string =>
    `${VALID}fairValues:\n${sources.map((source) => `  - { ${source} }\n`).join('')}`;

  it('have their defaults', () => {
    const market = { id: '2231', key: 'HOME', maxAgeMs: null };
    const common = { markets: [market], maxAgeMs: 60_000, whenStale: 'halt', signalsOnly: false };
    expect(
      check(listed(`name: odds, kind: url, url: "https://odds.example.org/a?b=1", ${MARKETS}`)).fairValues,
    ).toEqual([
      {
        kind: 'url',
        name: 'odds',
        url: 'https://odds.example.org/a?b=1',
        everyMs: 5_000,
        token: null,
        ...common,
      },
    ]);
    expect(check(VALID).fairValues).toEqual([]);
  });

  it.each([
    ['name: a, kind: push, markets: [{ id: 1 }]', 'market 1 is not among the markets under events'],
    [`name: a, kind: file, ${MARKETS}`, 'path'],
    [`name: a, kind: process, command: [], ${MARKETS}`, 'expected a program'],
    [`name: a, kind: url, url: ftp://x.example, ${MARKETS}`, 'expected an http or https URL'],
    [`name: a, kind: url, url: "https://u:hunter2@x.example", ${MARKETS}`, 'without user name and password'],
    [
      `name: a, kind: url, url: "https://x.example", token: literal-token, ${MARKETS}`,
      'a token must not stand in the file',
    ],
    [`name: a, kind: push, maxAgeMs: 0, ${MARKETS}`, 'maxAgeMs'],
    ['name: a, kind: push, markets: [{ id: 2231 }, { id: 2231 }]', 'market 2231 has the source a already'],
  ])('are refused: %s', (source, problem) => {
    const found = problemsOf(listed(source));
    expect(found).toContain(problem);
    expect(found).not.toMatch(/hunter2|literal-token/);
  });

  it('are refused where two give one market, or two are sent to', () => {
    const found = problemsOf(listed(`name: a, kind: push, ${MARKETS}`, `name: a, kind: push, ${MARKETS}`));
    expect(found).toContain('expected one source of kind push, found a second');
    expect(found).toContain('the name a is used twice');
    expect(found).toContain('market 2231 has the source a already; one market, one source');
  });

  it('may share a market with one that gives signals alone', () => {
    const both = listed(
      `name: a, kind: push, ${MARKETS}`,
      `name: b, kind: file, path: x.csv, signalsOnly: true, ${MARKETS}`,
    );
    expect(problemsOf(both)).toBe('');
  });

  it('keep a token out of logs, and need its variable only where it is sent', () => {
    const text = listed(`name: a, kind: url, url: "https://x.example", token: "\${FAIR}", ${MARKETS}`);
    const settings = check(text, { ...ENVIRONMENT, FAIR: 'a-token-of-odds' });
    expect(secretsOf(settings)).toContain('a-token-of-odds');
    const source = SettingsSource.parse(text, 'bot.yaml', ENVIRONMENT, [], 'no keys');
    expect(source.unsetKeys.map(({ path }) => path)).toEqual(['fairValues[0].token']);
    expect(problemsOf(text, ENVIRONMENT)).toContain('variable FAIR is not set');
  });
});
