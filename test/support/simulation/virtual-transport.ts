/** HTTP without sockets: requests of the live client reach the pipeline of the bundled exchange in virtual time. */
import {
  ENDPOINTS,
  VERSION_PREFIX,
  type EndpointName,
} from '../../../src/venues/futuur/protocol/rest/endpoints.js';
import { HEADERS } from '../../../src/venues/futuur/protocol/rest/headers.js';
import type { Served, WireRequest } from '../../../src/exchange-server/http/pipeline.js';
import type { HttpRequest, HttpResult, Transport } from '../../../src/venues/futuur/rest/transport.js';
import type { Host } from './host.js';
import type { Network } from './network.js';
import type { AnswerText, Letter, VenueRecord } from './venue-record.js';

/** Where requests arrive; null while nobody listens there. */
export type Destination = () => ((letter: Letter, request: WireRequest) => Served) | null;

export interface SeenRequest {
  readonly endpoint: EndpointName;
  readonly body: string;
}

/** Who sends: one run of the bot on one machine. */
export interface Sender {
  readonly host: Host;
  readonly run: string;
}

/** One request and whoever waits for what becomes of it. */
interface Passage {
  readonly letter: Letter;
  readonly request: HttpRequest;
  readonly host: Host;
  readonly settle: (result: HttpResult) => void;
}

export class VirtualTransport {
  /** Every request whose first byte left, in order. */
  readonly seen: SeenRequest[] = [];
  /** The service takes requests and never answers. */
  isDeaf = false;
  /** How much longer requests to an endpoint are on their way, in milliseconds. */
  readonly detours = new Map<EndpointName, number>();
  readonly #network: Network;
  readonly #record: VenueRecord;
  readonly #destination: Destination;

  constructor(network: Network, record: VenueRecord, destination: Destination) {
    this.#network = network;
    this.#record = record;
    this.#destination = destination;
  }

  /** What carries the requests of one run. */
  from(sender: Sender): Transport {
    return { send: (request) => this.#send(request, sender), close: () => Promise.resolve() };
  }

  /** As over sockets, the last check comes when the bytes are about to be written, a moment after the decision. */
  #send(request: HttpRequest, { host, run }: Sender): Promise<HttpResult> {
    const letter = this.#record.letter(run, endpointOf(request), request.path, request.body ?? '');
    this.#record.note({ kind: 'handed', letter });
    return new Promise((resolve) => {
      const settle = this.#once(letter, resolve);
      this.#network.after(0.1, () => host.deliver(() => this.#leave({ letter, request, host, settle })));
    });
  }

  #once(letter: Letter, resolve: (result: HttpResult) => void): (result: HttpResult) => void {
    let settled = false;
    return (result) => {
      if (settled) return;
      settled = true;
      this.#record.note({ kind: 'answered', letter, answer: answerOf(result) });
      resolve(result);
    };
  }

  #leave(passage: Passage): void {
    const { letter, request, host, settle } = passage;
    if (this.#destination() === null) return settle({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    const headers = request.headers();
    try {
      request.beforeFirstByte();
    } catch (error) {
      return settle({ kind: 'not-sent', reason: (error as Error).message });
    }
    const wire = wireRequest(request, headers);
    this.#post(letter, wire);
    const lost = (reason: string) => (): void => host.deliver(() => settle({ kind: 'lost', reason }));
    this.#network.after(request.timeoutMs, lost('time-out'));
    if (this.#network.strikes('requestLost')) return;
    if (this.#network.strikes('requestReset')) return this.#network.carry(lost('ECONNRESET'));
    const detourMs = this.detours.get(letter.endpoint) ?? 0;
    if (this.#network.strikes('requestTwice'))
      this.#network.letter(() => this.#serve(letter, wire), detourMs);
    this.#network.letter(() => this.#arrive(passage, wire, lost('ECONNRESET')), detourMs);
  }

  #post(letter: Letter, { headers }: WireRequest): void {
    const key = headers[HEADERS.idempotencyKey.toLowerCase()];
    letter.key = typeof key === 'string' ? key : null;
    letter.leftAt = this.#record.now();
    this.seen.push({ endpoint: letter.endpoint, body: letter.body });
    this.#record.note({ kind: 'left', letter });
  }

  #serve(letter: Letter, wire: WireRequest): Served | null {
    return this.#destination()?.(letter, wire) ?? null;
  }

  #arrive({ letter, host, settle }: Passage, wire: WireRequest, reset: () => void): void {
    const served = this.#serve(letter, wire);
    if (served === null) return reset();
    if (this.isDeaf || this.#network.strikes('answerLost')) return;
    if (served.delivery === 'reset' || this.#network.strikes('answerReset')) return reset();
    const answered = resultOf(served.delivery.answer, served.now);
    this.#network.letter(() => host.deliver(() => settle(answered)), served.delivery.delayMs);
  }
}

type Delivered = Exclude<Served['delivery'], 'reset'>['answer'];

const resultOf = ({ status, text, contentType, headers }: Delivered, now: number): HttpResult => ({
  kind: 'answered',
  status,
  body: text,
  headers: lowerCased({
    ...headers,
    'content-type': contentType,
    date: new Date(now / 1_000).toUTCString(),
  }),
});

const answerOf = (result: HttpResult): AnswerText | null =>
  result.kind === 'answered' ? { status: result.status, text: result.body } : null;

const withoutVersion = (path: string): string =>
  path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;

const bare = (path: string): string => withoutVersion(path.split('?', 1)[0] ?? '');

function endpointOf({ method, path }: HttpRequest): EndpointName {
  const barePath = bare(path);
  const found = PATTERNS.find((one) => one.method === method && one.pattern.test(barePath));
  if (found === undefined) throw new Error(`no endpoint answers ${method} ${path}`);
  return found.name;
}

const PATTERNS = (Object.keys(ENDPOINTS) as EndpointName[]).map((name) => ({
  name,
  method: ENDPOINTS[name].method,
  pattern: new RegExp(`^${ENDPOINTS[name].path.replace(':id', String.raw`(\d+)`)}$`),
}));

function wireRequest(request: HttpRequest, headers: Readonly<Record<string, string>>): WireRequest {
  const barePath = bare(request.path);
  return {
    url: request.path,
    barePath,
    headers: lowerCased(headers),
    id: Number(/\/(\d+)\//.exec(barePath)?.[1] ?? 0),
    body: request.body === null ? undefined : Buffer.from(request.body),
    origin: 'http://venue.test',
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
