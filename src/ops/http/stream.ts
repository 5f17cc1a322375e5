/**
 * `GET /api/stream`: server-sent events. A reader gets the rows of all markets, then those that changed, at most four times a
 * second; besides the status once a second, and fills. A reader that is slow, or comes back, gets what changed since, once.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { BotApi } from './contract.js';

const TICK_MS = 250;
const TICKS_PER_STATUS = 4;
/** Rows that are read out between two turns of the event loop, so that the engine's inputs wait for no more than these. */
const SLICE = 10;
/** Bytes that may wait for one reader before it is left out. */
const MOST_WAITING = 512 * 1_024;
const MOST_READERS = 16;
/** Ticks after which a reader that takes nothing makes room for another: a minute. */
const STALLED_TICKS = 240;
/** Fills from before that a reader is told of. */
const FILLS_AT_FIRST = 20;
/** Milliseconds after which a browser comes back. */
const RETRY_MS = 1_000;

interface Row {
  readonly text: string;
  /** Of all rows, the how-manieth change. */
  readonly version: number;
}

export class Stream {
  readonly #rows = new Map<string, Row>();
  readonly #readers = new Set<Reader>();
  #version = 0;
  #ticks = 0;
  #isReading = false;
  #timer: NodeJS.Timeout | null = null;

  /** @param run names the run in ids of events: a reader of another run begins anew */
  constructor(
    private readonly api: BotApi,
    private readonly run: string,
  ) {}

  /** @returns false when there are too many */
  join(response: ServerResponse, lastId: string | undefined): boolean {
    if (this.#readers.size >= MOST_READERS) return false;
    const [run, seen] = (lastId ?? '').split('/');
    const reader = new Reader(
      response,
      run === this.run ? Number(seen) || 0 : 0,
      Math.max(0, this.api.fills(Infinity).last - FILLS_AT_FIRST),
    );
    if (this.#readers.size === 0) this.#begin();
    this.#readers.add(reader);
    response.on('close', () => this.#leave(reader));
    response.write(`retry: ${RETRY_MS}\n\n`);
    this.#ticks = 0;
    void this.#tick();
    return true;
  }

  close(): void {
    for (const { response } of this.#readers) response.end();
  }

  /** Nobody looked for a while: everything may have changed. */
  #begin(): void {
    this.api.changed();
    for (const row of this.api.markets()) this.#take(row.marketId, JSON.stringify(row));
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  async #tick(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#read();
      const status = this.#ticks++ % TICKS_PER_STATUS === 0 ? JSON.stringify(this.api.status()) : null;
      for (const reader of this.#readers) this.#tell(reader, status);
    } catch {
      // A page never ends the bot: its readers come back, and /api/status answers with what is wrong.
      for (const { response } of this.#readers) response.destroy();
    } finally {
      this.#isReading = false;
    }
  }

  async #read(): Promise<void> {
    const changed = this.api.changed();
    for (let at = 0; at < changed.length; at += SLICE) {
      for (const id of changed.slice(at, at + SLICE)) {
        const row = this.api.row(id);
        if (row !== null) this.#take(id, JSON.stringify(row));
      }
      await turn();
    }
  }

  #take(id: string, text: string): void {
    if (this.#rows.get(id)?.text !== text) this.#rows.set(id, { text, version: ++this.#version });
  }

  #tell(reader: Reader, status: string | null): void {
    reader.stalled = reader.response.writableLength > MOST_WAITING ? reader.stalled + 1 : 0;
    if (reader.stalled > STALLED_TICKS) reader.response.destroy();
    if (reader.stalled > 0) return;
    if (status !== null) reader.send('status', status);
    const { fills, last } = this.api.fills(reader.lastFill);
    if (fills.length > 0) reader.send('fills', JSON.stringify(fills));
    reader.lastFill = last;
    if (reader.seen === this.#version) return;
    const rows = [...this.#rows.values()].filter(({ version }) => version > reader.seen);
    reader.send('rows', `[${rows.map(({ text }) => text).join()}]`, `${this.run}/${this.#version}`);
    reader.seen = this.#version;
  }
}

class Reader {
  /** Ticks for which too much has waited for it. */
  stalled = 0;

  constructor(
    readonly response: ServerResponse,
    /** The newest version of rows that it has. */
    public seen: number,
    public lastFill: number,
  ) {}

  send(event: string, data: string, id?: string): void {
    this.response.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
  }
}
