import { Agent, request } from 'undici';
import type { Clock } from '../../core/ports/clock.js';
import { backOffMs, describeFailure, repeatedly, type ValueSink } from './source-parts.js';
import { type Piece, piecesOf } from './stated-values.js';

export interface PolledUrlOptions {
  readonly url: string;
  readonly everyMs: number;
  /** null: none is sent. */
  readonly token: string | null;
  readonly clock: Clock;
  readonly sink: ValueSink;
}

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1_048_576;
const LEAST_PAUSE_MS = 1_000;

/**
 * Asks an address again and again; an answer that has not changed (304) confirms the one before.
 * @returns stops asking
 */
export function pollUrl(options: PolledUrlOptions): () => Promise<void> {
  const poller = new UrlPoller(options);
  const stop = repeatedly(options.clock, () => poller.ask());
  return async () => {
    await poller.close();
    await stop();
  };
}

class UrlPoller {
  private readonly agent = new Agent({ connections: 1 });
  private readonly closing = new AbortController();
  private failures = 0;
  private etag: string | null = null;
  private pieces: readonly Piece[] = [];

  constructor(private readonly options: PolledUrlOptions) {}

  /** @returns milliseconds until the next request */
  async ask(): Promise<number> {
    const { everyMs, sink } = this.options;
    const failure = await this.answer().catch((error: unknown) => ({
      why: describeFailure(error),
      afterMs: 0,
    }));
    if (this.closing.signal.aborted) return everyMs;
    if (failure === null) {
      this.failures = 0;
      sink.up();
      sink.begin();
      sink.take(this.pieces, null);
      return everyMs;
    }
    this.failures += 1;
    const pauseMs = backOffMs(this.failures, Math.max(everyMs, LEAST_PAUSE_MS));
    sink.down(`${withoutQuery(this.options.url)} gives no values (${failure.why})`);
    return Math.max(pauseMs, failure.afterMs);
  }

  close(): Promise<void> {
    this.closing.abort();
    return this.agent.destroy();
  }

  /** @returns null when {@link pieces} are of now; else why they are not */
  private async answer(): Promise<{ readonly why: string; readonly afterMs: number } | null> {
    const { url, token } = this.options;
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.agent,
      signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'user-agent': 'oddsmith',
        accept: 'application/json, application/x-ndjson, text/csv',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(this.etag !== null && { 'if-none-match': this.etag }),
      },
    });
    if (statusCode === 304 && this.etag !== null) {
      await body.dump();
      return null;
    }
    if (statusCode !== 200) {
      await body.dump();
      return { why: `answer ${statusCode}`, afterMs: retryAfterMs(headers['retry-after']) };
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) return { why: `an answer of more than ${MOST_BYTES} bytes`, afterMs: 0 };
      chunks.push(chunk);
    }
    this.pieces = piecesOf(Buffer.concat(chunks).toString('utf8'));
    const { etag } = headers;
    this.etag = typeof etag === 'string' ? etag : null;
    return null;
  }
}

/** A secret may stand in it. */
const withoutQuery = (url: string): string => url.replace(/[?#].*$/, '');

/** Seconds; a date is not worth reading. */
function retryAfterMs(header: string | readonly string[] | undefined): number {
  const seconds = typeof header === 'string' && /^\d{1,5}$/.test(header) ? Number(header) : 0;
  return Math.min(seconds, 3_600) * 1_000;
}
