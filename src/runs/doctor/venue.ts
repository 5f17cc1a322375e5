/** Asks a venue, with requests that change nothing, whether a bot of a file could trade there. */
import { lookup } from 'node:dns/promises';
import { connect } from 'node:tls';
import type { Clock } from '../../core/ports/clock.js';
import { eventId, marketId, orderId } from '../../domain/ids.js';
import { PRICE_ONE, type PriceUnits, type Shares } from '../../domain/units.js';
import { type BotSettings, firstTickOf, type VenueSettings } from '../../settings/index.js';
import { seededRandom } from '../../storage/clocks/seeded-random.js';
import { NESTED_STYLES, type NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import { PusherFeed } from '../../venues/futuur/realtime/feed.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { RestExchange } from '../../venues/futuur/rest/wire.js';
import { configuredMode, tickUnitsOf } from '../live/engine-options.js';
import { openFeed } from '../live/connections.js';
import { failure, type Finding, fine, reasonOf, warning } from './finding.js';

export interface VenueExamination {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly clock: Clock;
  /** Whether the file trades with keys; paper does not. */
  readonly isSigning: boolean;
}

/** All that can be asked, the network first. What the rest depends on ends it. */
export async function venueFindings(examination: VenueExamination): Promise<readonly Finding[]> {
  const { venue } = examination;
  const network = await networkFindings(venue);
  if (network.some(({ state }) => state === 'failure')) return network;
  const asked: RestExchange[] = [];
  const rest = clientOf(examination, venue.signing.nested, asked);
  try {
    const markets = await marketFindings(rest, examination);
    const keys = examination.isSigning
      ? await keyFindings(rest, examination)
      : { account: null, findings: [] };
    const realtime = await realtimeFindings(rest, examination, keys.account);
    const times = [clockFinding(rest, venue), limitsFinding(asked)];
    return [...network, ...times, ...keys.findings, ...realtime, ...markets];
  } finally {
    await rest.close();
  }
}

function clientOf(
  { venue, clock, isSigning }: VenueExamination,
  nested: NestedStyle,
  asked: RestExchange[],
): RestClient {
  const { publicKey, privateKey } = venue;
  return new RestClient({
    baseUrl: venue.baseUrl,
    credentials: isSigning ? { publicKey, privateKey } : null,
    nested,
    timeoutMs: venue.requestTimeoutMs,
    clock,
    observe: () => undefined,
    onExchange: (exchange) => void asked.push(exchange),
  });
}

const LOOPBACK = /^(?:localhost|127\.|\[?::1)/;
const TLS_TIMEOUT_MS = 5_000;
const SOON_DAYS = 14;

/** Names and certificates of both services. */
async function networkFindings({ baseUrl, realtime }: VenueSettings): Promise<readonly Finding[]> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const cluster = realtime.cluster === null ? null : `ws-${realtime.cluster}.pusher.com`;
  const services = [
    {
      name: 'REST',
      host: hostname,
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      tls: protocol === 'https:',
    },
    {
      name: 'realtime',
      host: cluster ?? realtime.host!,
      port: realtime.port ?? 443,
      tls: cluster !== null || realtime.tls,
    },
  ];
  return (await Promise.all(services.map(serviceFindings))).flat();
}

interface Service {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

async function serviceFindings({ name, host, port, tls }: Service): Promise<readonly Finding[]> {
  let dns: Finding;
  try {
    const { address } = await lookup(host);
    dns = fine('DNS', `${name}: ${host} is ${address}`);
  } catch (error) {
    return [
      failure(
        'DNS',
        `${name}: ${host} has no address (${reasonOf(error)})`,
        'look at the address in the file, and at the network',
      ),
    ];
  }
  if (tls) return [dns, await tlsFinding(name, host, port)];
  if (LOOPBACK.test(host)) return [dns, fine('TLS', `${name}: none, on this machine`)];
  return [dns, warning('TLS', `${name}: ${host} is not encrypted`, 'use https, and realtime.tls: true')];
}

function tlsFinding(name: string, host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, timeout: TLS_TIMEOUT_MS });
    const end = (finding: Finding): void => {
      socket.destroy();
      resolve(finding);
    };
    const refused = (reason: string): void =>
      end(
        failure(
          'TLS',
          `${name}: ${host}:${port} (${reason})`,
          'look at the certificate, the clock and proxies in between',
        ),
      );
    socket.once('error', (error) => refused(error.message));
    socket.once('timeout', () => refused('no answer'));
    socket.once('secureConnect', () => {
      const until = socket.getPeerCertificate().valid_to;
      const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
      const text = `${name}: ${host}, ${socket.getProtocol() ?? 'TLS'}, certificate for ${days} more days`;
      end(days < SOON_DAYS ? warning('TLS', text, 'the venue has to renew it') : fine('TLS', text));
    });
  });
}

/** Against the dates of the answers before. */
function clockFinding(rest: RestClient, { clockWindowS }: VenueSettings): Finding {
  const seconds = rest.wire.venueAhead / 1_000_000;
  const text = `the venue is ${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine; ${clockWindowS} s are allowed`;
  const advice = 'set the clock of this machine, for instance with NTP';
  if (Math.abs(seconds) > clockWindowS) return failure('clock', text, advice);
  return Math.abs(seconds) > clockWindowS / 4 ? warning('clock', text, advice) : fine('clock', text);
}

/** What answers say of an allowance. */
export function limitsFinding(asked: readonly RestExchange[]): Finding {
  const told = asked.flatMap(({ result }) =>
    result.kind !== 'answered'
      ? []
      : Object.entries(result.headers).filter(([name]) => /rate-?limit|retry-after/i.test(name)),
  );
  if (told.length === 0)
    return fine('rate limit', 'answers carry no header about it; venue.rateLimit of the file counts');
  const lines = [...new Map(told)].map(([name, value]) => `${name}: ${String(value)}`);
  return fine('rate limit', `${lines.join(', ')}; compare it with venue.rateLimit`);
}

interface Keys {
  readonly account: string | null;
  readonly findings: readonly Finding[];
}

async function keyFindings(rest: RestClient, examination: VenueExamination): Promise<Keys> {
  const outcome = await rest.me();
  if (outcome.ok) {
    const found = fine(
      'keys',
      `the venue knows them: account ${outcome.value.id}, ${outcome.value.username ?? 'no name'}`,
    );
    return { account: String(outcome.value.id), findings: [found, await signingFinding(examination)] };
  }
  const { failure: why } = outcome;
  const text =
    why.kind === 'refused'
      ? `refused (${why.status} ${why.code}: ${why.detail})`
      : `not answered (${why.reason})`;
  return {
    account: null,
    findings: [failure('keys', text, 'look at publicKey, the variable of privateKey, and the clock')],
  };
}

/** No order has this id: the update of it changes nothing, whether the signature is taken or not. */
const NO_ORDER = orderId('999999999999999');

/** Which way of writing nested values the venue accepts: each is tried with an update of an order that does not exist. */
async function signingFinding(examination: VenueExamination): Promise<Finding> {
  const configured = examination.venue.signing.nested;
  const taken: NestedStyle[] = [];
  const silent: NestedStyle[] = [];
  for (const nested of NESTED_STYLES) {
    const rest = clientOf(examination, nested, []);
    const { currency } = examination.settings;
    const place = {
      eventId: eventId(1),
      marketId: marketId(1),
      currency,
      side: 'bid',
      position: 'long',
    } as const;
    const terms = {
      price: (PRICE_ONE / 2) as PriceUnits,
      shares: 100 as Shares,
      expiresAt: null,
      says: 'all',
    } as const;
    const key = `doctor-${nested}-${examination.clock.now()}`;
    const outcome = await rest.batchUpdate([{ orderId: NO_ORDER, place, ...terms }], key);
    await rest.close();
    if (outcome.ok) taken.push(nested);
    else if (outcome.failure.kind !== 'refused' || outcome.failure.means === 'throttled') silent.push(nested);
    else if (outcome.failure.status !== UNAUTHORIZED) taken.push(nested);
  }
  return signingVerdict(configured, taken, silent);
}

const UNAUTHORIZED = 401;

/** @param silent ways about which the venue said nothing: it was too busy, broken or silent */
export function signingVerdict(
  configured: NestedStyle,
  taken: readonly NestedStyle[],
  silent: readonly NestedStyle[] = [],
): Finding {
  if (taken.includes(configured))
    return fine('signing', `the venue takes signing.nested: ${configured}, tried with an update of no order`);
  const [other] = taken;
  if (silent.includes(configured) || (other === undefined && silent.length > 0))
    return warning(
      'signing',
      `the venue gave no answer to signing.nested: ${silent.join(', ')}`,
      'try again later',
    );
  if (other !== undefined)
    return failure(
      'signing',
      `the venue refuses signing.nested: ${configured}, and takes ${other}`,
      `set signing.nested: ${other}`,
    );
  return failure(
    'signing',
    'the venue takes no signature of a nested body',
    'look at the keys; batch orders cannot be sent',
  );
}

const JOIN_WITHIN_MS = 10_000;

/** Connects once, and joins the channel of an event and, with keys, the private one. */
async function realtimeFindings(
  rest: RestClient,
  { settings, venue, clock }: VenueExamination,
  account: string | null,
): Promise<readonly Finding[]> {
  const random = seededRandom(1);
  const feed =
    account === null
      ? new PusherFeed({
          address: venue.realtime,
          events: settings.events.slice(0, 1).map(({ id }) => id),
          account: null,
          clock,
          random,
        })
      : openFeed({ settings, venue, clock, random }, { rest, account: account as never });
  const joined = new Set<string>();
  let refused: string | null = null;
  let link = 'no answer';
  await new Promise<void>((resolve) => {
    const stop = clock.at((clock.now() + JOIN_WITHIN_MS * 1_000) as never, resolve);
    const done = (): void => {
      stop();
      resolve();
    };
    feed.streams.link.subscribe(({ state, reason }) => {
      link = state === 'connected' ? state : reason;
      if (state === 'refused') done();
    });
    feed.streams.subscription.subscribe(({ about, state, reason, channel }) => {
      if (state === 'refused') refused = `${channel}: ${reason}`;
      else joined.add(about.kind);
      if (refused !== null || (account === null ? joined.size > 0 : joined.has('account'))) done();
    });
    feed.connect();
  });
  feed.close();
  if (link !== 'connected')
    return [
      failure(
        'realtime',
        `no connection (${link})`,
        'look at venue.realtime: key, and cluster or host and port',
      ),
    ];
  const connected = fine('realtime', 'connected');
  if (refused !== null)
    return [
      connected,
      failure('channels', `refused: ${String(refused)}`, 'look at the keys and at venue.realtime.key'),
    ];
  if (account === null) return [connected];
  return joined.has('account')
    ? [connected, fine('channels', 'the private channel of the account is joined')]
    : [
        connected,
        failure(
          'channels',
          'the private channel was not answered',
          'try again; without it a bot does not quote',
        ),
      ];
}

/** The file against what the venue says of each event. */
async function marketFindings(rest: RestClient, { settings }: VenueExamination): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    settings.events.map(async (configured) => {
      const outcome = await rest.event(configured.id, tickUnitsOf(settings));
      if (!outcome.ok) {
        const { failure: why } = outcome;
        const text = why.kind === 'refused' ? `${why.status} ${why.code}` : why.reason;
        return failure(
          'markets',
          `event ${configured.id} cannot be read (${text})`,
          'look at its id; oddsmith markets <file> lists what there is',
        );
      }
      const event = outcome.value;
      const known = new Map(event.markets.map((market) => [market.id as string, market]));
      const strange = configured.markets.filter(({ id }) => !known.has(id)).map(({ id }) => id);
      if (strange.length > 0)
        return failure(
          'markets',
          `event ${configured.id} has no market ${strange.join(', ')}`,
          `it has ${[...known.keys()].join(', ')}`,
        );
      const mode = configuredMode(configured);
      if (mode === 'exclusive' && event.resolutionMode === 'non_exclusive')
        return failure(
          'markets',
          `event ${configured.id} is ${mode} in the file, and not at the venue`,
          'leave resolutionMode and exhaustive out',
        );
      const closed = configured.markets
        .filter(({ id }) => known.get(id)!.status !== 'active')
        .map(({ id }) => id);
      if (event.status !== 'open' || closed.length > 0)
        return warning(
          'markets',
          `event ${configured.id} is ${event.status}${closed.length > 0 ? `, not active: ${closed.join(', ')}` : ''}`,
          'nothing is quoted there; name open markets',
        );
      const grids = configured.markets
        .filter(({ tickSize }) => tickSize !== 'auto')
        .map(({ id, tickSize }) => `${id} ${firstTickOf(tickSize) / PRICE_ONE}`);
      return fine(
        'markets',
        `event ${configured.id} is open with ${configured.markets.length} markets of the file${grids.length > 0 ? `; stated grids: ${grids.join(', ')}` : ''}`,
      );
    }),
  );
  return findings;
}
