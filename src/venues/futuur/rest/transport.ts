import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { WithheldError } from '../../outcome.js';

/** One HTTP request, complete but for its signature. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path with query. */
  readonly path: string;
  /** Asked for when the request is handed to a connection, and again when that took long. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From now to the end of the answer, waiting for a connection included. */
  readonly timeoutMs: number;
  /** Called when the first byte is about to be written. @throws WithheldError to keep it from being written */
  readonly beforeFirstByte: () => void;
}

/** What came back. */
export type HttpResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: HttpHeaders;
      readonly body: string;
    }
  /** No byte left. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** Bytes left and no whole answer came: the venue may have acted on them. */
  | { readonly kind: 'lost'; readonly reason: string };

/** Names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface TransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly connections: number;
  /** An answer larger than this is cut off and counts as lost. */
  readonly answerBytes: number;
}

export interface Transport {
  send(request: HttpRequest): Promise<HttpResult>;
  /** Ends all connections; what is under way is lost. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_MS = 30_000;

/** Keep-alive connections, one request at a time on each, nothing ever sent again by itself. */
export function openTransport(options: TransportOptions): Transport {
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // One time-out covers the whole request; undici's own would only add two more.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        new Sending(pool, request, options.answerBytes, resolve).start();
      }),
    close: () => pool.destroy(),
  };
}

/** A signature must not wait longer than this for its connection. */
const FRESH_MS = 1_000;
const STALE = new Error('the signature waited too long for a connection');

/** One request on its way: from being handed over to the end of its answer, which it reports once. */
class Sending implements Dispatcher.DispatchHandler {
  readonly #pool: Dispatcher;
  readonly #request: HttpRequest;
  readonly #most: number;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #settle: ((result: HttpResult) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #signedAtMs = 0;
  #status = 0;
  #headers: HttpHeaders = {};
  #bytes = 0;

  constructor(pool: Dispatcher, request: HttpRequest, most: number, settle: (result: HttpResult) => void) {
    this.#pool = pool;
    this.#request = request;
    this.#most = most;
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#giveUp('time-out'), request.timeoutMs);
  }

  start(): void {
    if (this.#settle === null) return;
    const { method, path, body } = this.#request;
    this.#signedAtMs = performance.now();
    this.#pool.dispatch({ method, path, body, headers: this.#request.headers() }, this);
  }

  /** Runs right before the first byte is written; what it throws keeps the byte back and the connection open. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settle === null) throw new WithheldError('given up');
    if (performance.now() - this.#signedAtMs > FRESH_MS) throw STALE;
    this.#request.beforeFirstByte();
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#most) this.#giveUp(`answer larger than ${this.#most} bytes`);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = textOf(this.#chunks);
    this.#finish({ kind: 'answered', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error === STALE) queueMicrotask(() => this.start());
    else this.#fail(reasonOf(error));
  }

  #giveUp(reason: string): void {
    this.#fail(reason);
    this.#controller?.abort(new Error(reason));
  }

  #fail(reason: string): void {
    this.#finish({ kind: this.#controller === null ? 'not-sent' : 'lost', reason });
  }

  #finish(result: HttpResult): void {
    clearTimeout(this.#timer);
    this.#settle?.(result);
    this.#settle = null;
  }
}

/** Most answers come in one piece. */
const textOf = (chunks: readonly Buffer[]): string =>
  (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');

/** The code of the operating system or of undici says more than their sentences. */
const reasonOf = (error: Error & { code?: unknown }): string =>
  error instanceof WithheldError || typeof error.code !== 'string' ? error.message : error.code;
