/** HTTP without sockets: requests of the live client reach the pipeline of the bundled exchange in virtual time. */
import { ENDPOINTS, VERSION_PREFIX, type EndpointName } from '../../../src/protocol/rest/endpoints.js';
import type { Served, WireRequest } from '../../../src/server/http/pipeline.js';
import type { HttpRequest, HttpResult, Transport } from '../../../src/venue/rest/transport.js';
import type { Network } from './network.js';

/** Where requests arrive; null while nobody listens there. */
export type Destination = () => ((endpoint: EndpointName, request: WireRequest) => Served) | null;

export interface SeenRequest {
  readonly endpoint: EndpointName;
  readonly body: string;
}

export class VirtualTransport implements Transport {
  /** Every request whose first byte left, in order. */
  readonly seen: SeenRequest[] = [];
  /** The service takes requests and never answers. */
  isDeaf = false;
  /** How much longer requests to an endpoint are on their way, in milliseconds. */
  readonly detours = new Map<EndpointName, number>();
  readonly #network: Network;
  readonly #destination: Destination;

  constructor(network: Network, destination: Destination) {
    this.#network = network;
    this.#destination = destination;
  }

  /** As over sockets, the last check comes when the bytes are about to be written, a moment after the decision. */
  send(request: HttpRequest): Promise<HttpResult> {
    return new Promise((resolve) => {
      const settle = once(resolve);
      this.#network.after(0.1, () => this.#leave(request, settle));
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #leave(request: HttpRequest, settle: (result: HttpResult) => void): void {
    if (this.#destination() === null) return settle({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    const headers = request.headers();
    try {
      request.beforeFirstByte();
    } catch (error) {
      return settle({ kind: 'not-sent', reason: (error as Error).message });
    }
    const endpoint = endpointOf(request);
    this.seen.push({ endpoint, body: request.body ?? '' });
    this.#network.after(request.timeoutMs, () => settle({ kind: 'lost', reason: 'time-out' }));
    if (this.#network.happens(this.#network.weather.requestLost)) return;
    const detourMs = this.detours.get(endpoint) ?? 0;
    this.#network.carry(() => this.#arrive(endpoint, request, headers, settle), detourMs);
  }

  #arrive(
    endpoint: EndpointName,
    request: HttpRequest,
    headers: Readonly<Record<string, string>>,
    settle: (result: HttpResult) => void,
  ): void {
    const serve = this.#destination();
    if (serve === null) return settle({ kind: 'lost', reason: 'ECONNRESET' });
    const { delivery, now } = serve(endpoint, wireRequest(request, headers));
    if (this.isDeaf || this.#network.happens(this.#network.weather.answerLost)) return;
    if (delivery === 'reset') return settle({ kind: 'lost', reason: 'ECONNRESET' });
    const { status, text, contentType, headers: more } = delivery.answer;
    const answered = {
      kind: 'answered',
      status,
      body: text,
      headers: lowerCased({
        ...more,
        'content-type': contentType,
        date: new Date(now / 1_000).toUTCString(),
      }),
    } as const;
    this.#network.carry(() => settle(answered), delivery.delayMs);
  }
}

function once(resolve: (result: HttpResult) => void): (result: HttpResult) => void {
  let settled = false;
  return (result) => {
    if (!settled) resolve(result);
    settled = true;
  };
}

const withoutVersion = (path: string): string =>
  path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;

const bare = (path: string): string => withoutVersion(path.split('?', 1)[0] ?? '');

function endpointOf({ method, path }: HttpRequest): EndpointName {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  const found = names.find((name) => ENDPOINTS[name].method === method && patternOf(name).test(bare(path)));
  if (found === undefined) throw new Error(`no endpoint answers ${method} ${path}`);
  return found;
}

const patternOf = (name: EndpointName): RegExp =>
  new RegExp(`^${ENDPOINTS[name].path.replace(':id', String.raw`(\d+)`)}$`);

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
