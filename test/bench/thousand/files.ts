/** The files of an exchange and of a bot that quotes many markets: four to an event. */

export const MARKETS_PER_EVENT = 4;
/** Accounts 2, 3 and 4 of the exchange. */
const OTHERS = ['crowd', 'walker', 'lmsr'] as const;
/** As the public venue's. */
const ALLOWANCE: Allowance = { perMinute: 2_000, perDay: 1_000_000 };
const FIRST_MARKET = 10_001;
const MAKER = { publicKey: 'pk_maker', privateKey: 'sk_maker' };
export const ONLOOKER = { publicKey: 'pk_onlooker', privateKey: 'sk_onlooker' };
export const ADMIN_TOKEN = 'bench-of-a-thousand';
/** Keys of bot and guard, as their files name them. */
export const ENVIRONMENT = { BOT_KEY: MAKER.privateKey, GUARD_KEY: 'sk_guard' };

/** How much the books move. */
export interface Activity {
  /** Market and limit orders of small traders a second. */
  readonly noisePerS: number;
  /** Markets that a maker quotes anew every second; the books of the others move with trades alone. */
  readonly walking: number;
  /** Whether an automatic maker quotes each event, and answers every trade. */
  readonly areMade: boolean;
}

export interface Allowance {
  readonly perMinute: number;
  readonly perDay: number;
}

const allowanceText = ({ perMinute, perDay }: Allowance): string =>
  `{ perMinute: ${perMinute}, perDay: ${perDay} }`;

export const eventsOf = (
  markets: number,
): readonly { readonly id: number; readonly markets: readonly number[] }[] =>
  Array.from({ length: Math.ceil(markets / MARKETS_PER_EVENT) }, (_, event) => ({
    id: event + 1,
    markets: Array.from(
      { length: Math.min(MARKETS_PER_EVENT, markets - event * MARKETS_PER_EVENT) },
      (__, at) => FIRST_MARKET + event * MARKETS_PER_EVENT + at,
    ),
  }));

/** The file of the exchange. @param markets as many as there are */
export function exchangeText(
  port: number,
  markets: number,
  { noisePerS, walking, areMade }: Activity,
  allowance = ALLOWANCE,
): string {
  const events = eventsOf(markets);
  const ids = events.flatMap((event) => event.markets);
  const account = (id: number, name: string, more = ''): string =>
    `    - { id: ${id}, username: ${name}, email: ${name}@example.org, publicKey: pk_${name}, privateKey: sk_${name}, ` +
    `balances: { OOM: '10000000' }${more} }`;
  const keys =
    ', keys: [{ publicKey: pk_guard, privateKey: sk_guard }, { publicKey: pk_onlooker, privateKey: sk_onlooker }]';
  return [
    'exchange:',
    `  port: ${port}`,
    `  adminToken: ${ADMIN_TOKEN}`,
    `  rateLimit: ${allowanceText(allowance)}`,
    '  accounts:',
    account(1, 'maker', keys),
    ...OTHERS.map((name, at) => account(2 + at, name)),
    '  events:',
    ...events.map(
      ({ id, markets: of }) =>
        `    - { id: ${id}, title: Event ${id}, markets: [${of.map((one) => `{ id: ${one}, title: Market ${one} }`).join(', ')}] }`,
    ),
    '  participants:',
    ...(areMade ? events : []).map(
      ({ markets: of }) => `    - { kind: lmsr, account: 4, markets: [${of.join(', ')}], b: 100 }`,
    ),
    `    - { kind: noise, account: 2, markets: [${ids.join(', ')}], ratePerS: ${noisePerS}, sizeMin: '1', sizeMax: '10' }`,
    ...(walking === 0
      ? []
      : [
          `    - { kind: maker, account: 3, markets: [${ids.slice(0, walking).join(', ')}], halfSpread: '0.03', sizeMin: '20', sizeMax: '60' }`,
        ]),
    '',
  ].join('\n');
}

export interface BotFile {
  readonly port: number;
  readonly markets: number;
  readonly shares: number;
  /** `virtual`: on the exchange of the same file, which runs in virtual time. */
  readonly mode: 'live' | 'paper' | 'virtual';
}

/**
 * The file of the bot: a guard with keys of its own, and orders that expire. Paper needs neither. Patience is that of a machine
 * which others use, too.
 */
export function botText(file: BotFile): string {
  const events = eventsOf(file.markets);
  return [
    ...edgeLines(file),
    'events:',
    ...events.map(
      ({ id, markets: of }) =>
        `  - { id: ${id}, title: Event ${id}, markets: [${of.map((one) => `{ id: ${one}, tickSize: '0.01' }`).join(', ')}] }`,
    ),
    'instances:',
    '  - name: all',
    '    strategy: inventory-skew',
    `    markets: [${events.flatMap((event) => event.markets).join(', ')}]`,
    `    params: { halfSpread: '0.02', shares: ${file.shares}, range: 200, priceSkew: '0.03' }`,
    '    limits: { maxPositionShares: 300, maxEventLoss: 1000, maxLoss: 1000000, ordersPerMinute: 20000 }',
    '',
  ].join('\n');
}

/** What differs by mode. In virtual time no order expires, so that a day of it ends within minutes. */
function edgeLines({ port, mode }: BotFile): readonly string[] {
  if (mode === 'virtual') return [];
  const guard = [
    "guard: { publicKey: pk_guard, privateKey: '${GUARD_KEY}', silenceMs: 60000 }",
    'quoting: { expiryMs: 900000 }',
  ];
  return [
    `mode: ${mode}`,
    'venue:',
    '  name: thousand',
    `  baseUrl: http://127.0.0.1:${port}`,
    `  realtime: { key: local, host: 127.0.0.1, port: ${port}, tls: false }`,
    '  publicKey: pk_maker',
    '  privateKey: ${BOT_KEY}',
    '  bookCacheMs: 0',
    '  requestTimeoutMs: 30000',
    `  rateLimit: ${allowanceText(ALLOWANCE)}`,
    'http: { port: 0 }',
    'reload: { onSave: false }',
    ...(mode === 'live' ? guard : []),
  ];
}
