import { writeForm } from '../protocol/shape.js';
import type { JsonObject } from '../protocol/json-spelling.js';
import type { NestedStyle } from '../protocol/signed-values.js';
import {
  bodyParameters,
  pairParameters,
  type SignedParameter,
  RequestKey,
  signedPieces,
} from '../protocol/signing.js';
import type { Call, CallBody } from './calls.js';
import { type Micros, micros } from '../../../domain/units.js';
import { type Signature, CONTENT_TYPES, HEADERS, headersOf } from '../protocol/rest/headers.js';
import { unixSeconds } from '../protocol/timestamps.js';
import type { RequestFailure } from '../../../domain/answers.js';
import type { Clock } from '../../../core/ports/clock.js';
import type { RequestObserver } from '../../../core/ports/telemetry.js';
import { type Endpoint, ENDPOINTS, type EndpointName } from '../protocol/rest/endpoints.js';
import { header, readAnswer } from './answer.js';
import { ClockOffset } from './clock-offset.js';
import { type Outcome, notSent } from '../../outcome.js';
import { openTransport, type HttpResult, type Transport } from './transport.js';

/** What of a call is sent as its body, and what of it is signed: the query of a call without one. */
export interface WrittenBody {
  readonly text: string | null;
  readonly parameters: readonly SignedParameter[];
}

/** @throws InvariantError when a call of the hot path cannot be written as what it is */
function writeBody({ query, body }: Call<unknown>, nested: NestedStyle): WrittenBody {
  if (body === null) return { text: null, parameters: pairParameters(query) };
  if ('form' in body) return { text: writeForm(body.form), parameters: pairParameters(body.form) };
  return { text: JSON.stringify(body.json), parameters: bodyParameters(body.json as JsonObject, nested) };
}

/** The account's keys. */
export interface Credentials {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Signs as one account. The private key does not leave this object, and no printing of it shows the key. */
export class Signer {
  readonly #publicKey: string;
  readonly #key: RequestKey;

  /** @throws RangeError when the private key is empty */
  constructor({ publicKey, privateKey }: Credentials) {
    this.#publicKey = publicKey;
    this.#key = new RequestKey(privateKey);
  }

  /** Signs these parameters at a time of the venue (specification 5.2). */
  sign(parameters: readonly SignedParameter[], venueTime: Micros): Signature {
    const publicKey = this.#publicKey;
    const timestamp = String(unixSeconds(venueTime));
    const pieces = signedPieces({ publicKey, timestamp }, parameters);
    return { publicKey, timestamp, hmac: this.#key.sign(pieces[0], pieces[1]) };
  }
}

export interface WireOptions {
  /** `https://api.example.org`, with or without a path before the endpoints'. */
  readonly baseUrl: string;
  /** null: public endpoints alone. */
  readonly credentials: Credentials | null;
  /** How nested bodies enter the signature (facts, "Signing"). */
  readonly nested: NestedStyle;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly observe: RequestObserver;
  /** Told of every attempt with what came back. */
  readonly onExchange?: (exchange: RestExchange) => void;
  readonly connections?: number;
  readonly answerBytes?: number;
  /** What carries the requests; sockets to the origin of `baseUrl` when left out. */
  readonly transport?: Transport;
}

/** One attempt at a call as it went over the wire, without headers: they carry signatures. */
export interface RestExchange {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  /** When its first byte left; null when none did. */
  readonly sentAt: Micros | null;
  readonly result: HttpResult;
}

/** What a caller adds to one call. */
export interface Sending {
  /** Sent where the endpoint knows it (specification 5.5). */
  readonly idempotencyKey?: string;
  /**
   * Called with the body's text when its first byte is about to be written, once per attempt.
   * @throws WithheldError to keep it from being written
   */
  readonly beforeFirstByte?: (body: string) => void;
}

/** A call as it is sent, as often as that is. */
interface WrittenCall<Value> {
  readonly call: Call<Value>;
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly body: WrittenBody;
  readonly sending: Sending;
}

const CONNECTIONS = 8;
const ANSWER_BYTES = 16 * 1_048_576;
/** Some proxies turn away requests that do not say what they come from. */
const USER_AGENT = 'oddsmith';
const NOTHING: Sending = {};
/** Microseconds: more than a clock is set forward by who keeps it right. */
const LEAP = 1_000_000;
/** By what is signed: many, for it is to be exact; a refusal corrects it at once. */
const SIGNING_SAMPLES = 15;
/** By what dates are told: three answers must agree before it moves, so one from a stray clock moves nothing. */
const DATING_SAMPLES = 5;
/** Once a clock of ours has leapt: so many answers, and one from a stray clock decides nothing either. */
const SURE_AFTER = 3;

/** Makes calls: signs, sends, checks and reads the answer. Every failure is a value that says what may have happened. */
export class Wire {
  readonly #options: WireOptions;
  readonly #transport: Transport;
  readonly #signer: Signer | null;
  readonly #basePath: string;
  readonly #signing = new ClockOffset(SIGNING_SAMPLES);
  readonly #dating = new ClockOffset(DATING_SAMPLES);
  /** How far our clock was ahead of monotonic time when it was looked at last. */
  #ahead = Infinity;
  /** How often the wall clock had leapt by then. */
  #leaps: number;
  /** When one of them was seen to have leapt last. */
  #leaptAt = -Infinity;
  /** Answers to what left since. */
  #answersSince = SURE_AFTER;

  constructor(options: WireOptions) {
    const base = new URL(options.baseUrl);
    this.#options = options;
    this.#leaps = options.clock.leaps ?? 0;
    this.#basePath = base.pathname.replace(/\/+$/, '');
    this.#signer = options.credentials === null ? null : new Signer(options.credentials);
    this.#transport =
      options.transport ??
      openTransport({
        origin: base.origin,
        connections: options.connections ?? CONNECTIONS,
        answerBytes: options.answerBytes ?? ANSWER_BYTES,
      });
  }

  /** Microseconds that the venue's clock is ahead of ours, as of the last answers; 0 where it is not worth mentioning. */
  get venueAhead(): number {
    return this.#dating.told();
  }

  /**
   * Whether what is known of the venue's clock can date what left then by ours: not across a leap of ours, and not before
   * some answers have told by how much it leapt.
   */
  canDate(sentAt: Micros): boolean {
    return sentAt >= this.#leaptAt && this.#answersSince >= SURE_AFTER;
  }

  /**
   * Makes one call. A refusal of our time (`ExpiredTimestamp`: nothing happened) corrects the clock offset and is
   * tried once more; nothing else is ever sent again by itself.
   * @throws InvariantError at once when the call cannot be written as what it is
   */
  call<Value>(call: Call<Value>, sending: Sending = NOTHING): Promise<Outcome<Value>> {
    if (this.#signer === null && ENDPOINTS[call.endpoint].auth === 'signed') {
      return Promise.resolve(notSent('no keys'));
    }
    return this.#attempt(this.#written(call, sending), 'first');
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #written<Value>(call: Call<Value>, sending: Sending): WrittenCall<Value> {
    const endpoint: Endpoint = ENDPOINTS[call.endpoint];
    return { call, endpoint, path: this.#path(call), body: writeBody(call, this.#options.nested), sending };
  }

  async #attempt<Value>(written: WrittenCall<Value>, which: 'first' | 'last'): Promise<Outcome<Value>> {
    const { call, endpoint, path, body, sending } = written;
    let sentAt: Micros | null = null;
    const result = await this.#transport.send({
      method: endpoint.method,
      path,
      headers: () => this.#headers(written),
      body: body.text,
      timeoutMs: this.#options.timeoutMs,
      beforeFirstByte: () => {
        sending.beforeFirstByte?.(body.text ?? '');
        sentAt = this.#lookAtClock();
      },
    });
    this.#tell(written, sentAt, result);
    const date = dateOf(result);
    const receivedAt = this.#lookAtClock();
    if (sentAt !== null && sentAt >= this.#leaptAt) {
      this.#dating.note(date, sentAt, receivedAt);
      if (result.kind === 'answered') this.#answersSince += 1;
    }
    const outcome = readAnswer(call, result, sentAt, (venueTime) => micros(venueTime - this.venueAhead));
    this.#report(call, outcome);
    const isTimeCorrected = this.#measure(date, receivedAt, outcome);
    return isTimeCorrected && which === 'first' ? this.#attempt(written, 'last') : outcome;
  }

  #lookAtClock(): Micros {
    const { clock } = this.#options;
    const now = clock.now();
    const ahead = now - clock.monotonic();
    const leaps = clock.leaps ?? 0;
    const hasLeapt = ahead - this.#ahead > LEAP || leaps !== this.#leaps;
    this.#ahead = ahead;
    this.#leaps = leaps;
    if (hasLeapt) this.#leapt(now);
    return now;
  }

  /**
   * Our clock leaps when the machine slept; the wall clock alone, when somebody sets it, or when the machine stood still and
   * does not know it. What was known of the venue's is void, and the next answer tells. What left before tells nothing: half
   * of the leap would count as its way.
   */
  #leapt(now: Micros): void {
    for (const offset of [this.#signing, this.#dating]) offset.forget();
    this.#leaptAt = now;
    this.#answersSince = 0;
  }

  #tell(
    { call, endpoint, path, body }: WrittenCall<unknown>,
    sentAt: Micros | null,
    result: HttpResult,
  ): void {
    const { method } = endpoint;
    this.#options.onExchange?.({ endpoint: call.endpoint, method, path, body: body.text, sentAt, result });
  }

  #path({ path, query }: Call<unknown>): string {
    const isWhole = this.#basePath !== '' && path.startsWith(`${this.#basePath}/`);
    const whole = isWhole ? path : this.#basePath + path;
    return query.length === 0 ? whole : `${whole}?${writeForm(query)}`;
  }

  #headers({ call, endpoint, body, sending }: WrittenCall<unknown>): Readonly<Record<string, string>> {
    const venueTime = this.#signing.venueTime(this.#lookAtClock());
    return headersOf({
      userAgent: USER_AGENT,
      contentType: call.body === null ? null : contentType(call.body),
      idempotencyKey: (endpoint.idempotent ? sending.idempotencyKey : null) ?? null,
      signature: endpoint.auth === 'none' ? null : (this.#signer?.sign(body.parameters, venueTime) ?? null),
    });
  }

  /** @returns whether the answer refused our time and told a better one */
  #measure(date: string | undefined, receivedAt: Micros, outcome: Outcome<unknown>): boolean {
    if (outcome.sentAt === null || outcome.sentAt < this.#leaptAt) return false;
    if (isExpired(outcome)) return this.#signing.correct(date, outcome.sentAt, receivedAt);
    this.#signing.note(date, outcome.sentAt, receivedAt);
    return false;
  }

  #report({ endpoint }: Call<unknown>, outcome: Outcome<unknown>): void {
    const { clock, observe } = this.#options;
    const durationMs = outcome.sentAt === null ? null : (clock.now() - outcome.sentAt) / 1_000;
    if (outcome.ok) return observe({ endpoint, outcome: 'ok', code: null, durationMs });
    const { failure } = outcome;
    observe({ endpoint, outcome: failure.kind, code: codeOf(failure), durationMs });
  }
}

const dateOf = (result: HttpResult): string | undefined =>
  result.kind === 'answered' ? header(result, HEADERS.date) : undefined;

const codeOf = (failure: RequestFailure): string | null => (failure.kind === 'refused' ? failure.code : null);

const isExpired = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && outcome.failure.kind === 'refused' && outcome.failure.code === 'ExpiredTimestamp';

const contentType = (body: NonNullable<CallBody>): string =>
  'form' in body ? CONTENT_TYPES.form : CONTENT_TYPES.json;
