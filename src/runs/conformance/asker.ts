/** Requests as a probe needs them: any body, and the answer as it came. */
import type { Clock } from '../../core/ports/clock.js';
import type { Micros } from '../../domain/units.js';
import type { VenueSettings } from '../../settings/index.js';
import { type EndpointName, ENDPOINTS } from '../../venues/futuur/protocol/rest/endpoints.js';
import type { NestedStyle } from '../../venues/futuur/protocol/signed-values.js';
import type { Call } from '../../venues/futuur/rest/calls.js';
import { RestClient } from '../../venues/futuur/rest/rest-client.js';
import type { RestExchange } from '../../venues/futuur/rest/wire.js';

/** What came back; status 0: nothing did. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** As text, cut for people. */
  readonly text: string;
}

/** Too busy, broken or silent: such an answer says nothing of what was asked. */
export const isNoAnswer = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 0 || status === TOO_MANY_REQUESTS || status >= 500;

const TOO_MANY_REQUESTS = 429;

export interface AskerOptions {
  readonly venue: VenueSettings;
  readonly clock: Clock;
  readonly nested?: NestedStyle;
}

const SHOWN = 160;

export class Asker {
  readonly rest: RestClient;
  readonly #asked: RestExchange[] = [];

  constructor({ venue, clock, nested = venue.signing.nested }: AskerOptions) {
    this.rest = new RestClient({
      baseUrl: venue.baseUrl,
      credentials: { publicKey: venue.publicKey, privateKey: venue.privateKey },
      nested,
      timeoutMs: venue.requestTimeoutMs,
      clock,
      observe: () => undefined,
      onExchange: (exchange) => void this.#asked.push(exchange),
    });
  }

  /** First answers of what was asked, in order: a second attempt of the client is left out. */
  get first(): Answer {
    return answerOf(this.#asked[0]);
  }

  get last(): Answer {
    return answerOf(this.#asked.at(-1));
  }

  /** @param json body of the request @param key idempotency key */
  async post(endpoint: EndpointName, json: object, key?: string): Promise<Answer> {
    const call: Call<unknown> = {
      endpoint,
      path: ENDPOINTS[endpoint].path,
      query: [],
      body: { json },
      read: (value) => ({ ok: true, value }),
    };
    await this.rest.wire.call(call, key === undefined ? {} : { idempotencyKey: key });
    return this.last;
  }

  close(): Promise<void> {
    return this.rest.close();
  }
}

function answerOf(exchange: RestExchange | undefined): Answer {
  const result = exchange?.result;
  if (result?.kind !== 'answered')
    return { status: 0, body: null, text: result?.reason ?? 'nothing was sent' };
  const { status, body: text } = result;
  const shown = `${status} ${text.slice(0, SHOWN)}`;
  try {
    return { status, body: JSON.parse(text) as unknown, text: shown };
  } catch {
    return { status, body: null, text: shown };
  }
}

/** The clock, set forward or back. */
export const shifted = (clock: Clock, seconds: number): Clock => ({
  now: () => (clock.now() + seconds * 1_000_000) as Micros,
  monotonic: () => clock.monotonic(),
  at: (when, callback) => clock.at((when - seconds * 1_000_000) as Micros, callback),
  ...('leaps' in clock && { leaps: clock.leaps }),
});
