/** A plain signed HTTP client for contract tests: it sends what it is told and shows the whole answer. */
import { type Dispatcher, request } from 'undici';
import {
  encodeSorted,
  headersFor,
  type Keys,
  type Plain,
  quote,
  signHeaders,
  urlencodeSorted,
} from './venue-signer.js';

/** What a test may do otherwise than a well-behaved client. */
export interface Sending {
  /** Added last; undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body as it is written; what is signed stays what the parameters say. */
  readonly text?: string | Buffer;
  /** Unix seconds to sign with. */
  readonly timestamp?: number | string;
  /** The whole string to sign, spelled by the test. */
  readonly signed?: (keys: Keys, timestamp: number | string) => string;
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An answer with its text, and with its JSON by path. */
export class WireAnswer {
  constructor(
    readonly status: number,
    readonly headers: Dispatcher.ResponseData['headers'],
    readonly text: string,
  ) {}

  /** The text as JSON; undefined when it is empty. */
  get body(): unknown {
    return this.text === '' ? undefined : (JSON.parse(this.text) as unknown);
  }

  /** What stands at a path such as `results.0.order.id`; undefined when nothing does. */
  at(path: string): unknown {
    const step = (value: unknown, name: string): unknown =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
    return path.split('.').reduce(step, this.body);
  }

  /** A number at a path. @throws when there is none */
  number(path: string): number {
    const value = this.at(path);
    if (typeof value === 'number') return value;
    throw new Error(`no number at ${path} in ${this.status} ${this.text.slice(0, 500)}`);
  }

  /** An array at a path; the empty path is the body itself. @throws when there is none */
  list(path = ''): readonly unknown[] {
    const value = path === '' ? this.body : this.at(path);
    if (Array.isArray(value)) return value;
    throw new Error(`no array at ${path} in ${this.status} ${this.text.slice(0, 500)}`);
  }
}

export const unixNow = (): number => Math.floor(Date.now() / 1_000);

export class VenueClient {
  /** @param keys null sends unsigned requests */
  constructor(
    readonly baseUrl: string,
    readonly keys: Keys | null,
  ) {}

  get(path: string, query: Query = {}, sending: Sending = {}): Promise<WireAnswer> {
    const pairs = queryPairs(query);
    const text = pairs.map(([name, value]) => `${quote(name)}=${quote(value)}`).join('&');
    const signed = (keys: Keys, timestamp: number | string): string =>
      encodeSorted([...pairs, ['Key', keys.publicKey], ['Timestamp', String(timestamp)]]);
    const headers = this.signature({}, { signed, ...sending });
    return this.send('GET', text === '' ? path : `${path}?${text}`, { ...sending, headers });
  }

  post(path: string, body: Readonly<Record<string, Plain>> = {}, sending: Sending = {}): Promise<WireAnswer> {
    const headers = { 'content-type': 'application/json', ...this.signature(body, sending) };
    return this.send('POST', path, { text: JSON.stringify(body), ...sending, headers });
  }

  patch(path: string, sending: Sending = {}): Promise<WireAnswer> {
    return this.send('PATCH', path, { ...sending, headers: this.signature({}, sending) });
  }

  form(path: string, fields: Readonly<Record<string, string>>, sending: Sending = {}): Promise<WireAnswer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...type, ...this.signature(fields, sending) };
    return this.send('POST', path, { text: urlencodeSorted(fields), ...sending, headers });
  }

  private signature(
    parameters: Readonly<Record<string, Plain>>,
    { headers, timestamp = unixNow(), signed }: Sending,
  ): Record<string, string | undefined> {
    if (this.keys === null) return { ...headers };
    const own =
      signed === undefined
        ? signHeaders(this.keys, parameters, timestamp)
        : headersFor(this.keys, signed(this.keys, timestamp), timestamp);
    return { ...own, ...headers };
  }

  private async send(method: 'GET' | 'POST' | 'PATCH', path: string, sending: Sending): Promise<WireAnswer> {
    const headers = Object.entries(sending.headers ?? {}).filter(([, value]) => value !== undefined);
    const answer = await request(`${this.baseUrl}${path}`, {
      method,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(sending.text === undefined ? {} : { body: sending.text }),
    });
    return new WireAnswer(answer.statusCode, answer.headers, await answer.body.text());
  }
}

/** An administrator of the exchange. */
export class AdminClient {
  private readonly client: VenueClient;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, token: string) {
    this.client = new VenueClient(baseUrl, null);
    this.headers = { authorization: `Bearer ${token}` };
  }

  get(path: string, query: Query = {}): Promise<WireAnswer> {
    return this.client.get(path, query, { headers: this.headers });
  }

  post(path: string, body: Readonly<Record<string, Plain>> = {}): Promise<WireAnswer> {
    return this.client.post(path, body, { headers: { ...this.headers, 'content-type': 'application/json' } });
  }
}

/** An array repeats its name. */
const queryPairs = (query: Query): readonly (readonly [string, string])[] =>
  Object.entries(query).flatMap(([name, value]) =>
    (isList(value) ? value : [String(value)]).map((one) => [name, one] as const),
  );

const isList = (value: Query[string]): value is readonly string[] => Array.isArray(value);

/** The ids of a page's rows. */
export const idsOf = (page: WireAnswer): readonly number[] =>
  page.list('results').map((_, at) => page.number(`results.${at}.id`));
