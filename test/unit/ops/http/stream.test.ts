import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BotApi, FillJson, MarketRowJson, StatusJson } from '../../../../src/ops/http/contract.js';
import { Stream } from '../../../../src/ops/http/stream.js';
import { toldApi } from '../../../support/bot/told-api.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A reader that takes everything, until it is told to be slow. */
class Reader extends EventEmitter {
  writableLength = 0;
  text = '';
  write(text: string): void {
    this.text += text;
  }
  end(): void {
    this.emit('close');
  }
  destroy(): void {
    this.emit('close');
  }
  /** What came since the last call, an event each. */
  take(): readonly { readonly event: string; readonly id: string | null; readonly data: unknown }[] {
    const blocks = this.text.split('\n\n').filter((block) => block.includes('data: '));
    this.text = '';
    return blocks.map((block) => ({
      event: /^event: (.*)$/m.exec(block)![1]!,
      id: /^id: (.*)$/m.exec(block)?.[1] ?? null,
      data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!),
    }));
  }
  rows(): readonly unknown[] {
    return this.take().flatMap(({ event, data }) => (event === 'rows' ? (data as unknown[]) : []));
  }
}

function scene(changes: Partial<BotApi> = {}) {
  const profits = new Map([
    ['1', 0],
    ['2', 0],
  ]);
  let touched = new Set<string>();
  const fills: FillJson[] = [];
  const reads: string[] = [];
  const row = (id: string) => ({ marketId: id, profit: profits.get(id) }) as unknown as MarketRowJson;
  const { api } = toldApi({
    status: () => ({ runId: 'r' }) as unknown as StatusJson,
    markets: () => [...profits.keys()].map(row),
    row: (id) => {
      reads.push(id);
      return row(id);
    },
    changed: () => {
      const now = [...touched];
      touched = new Set();
      return now;
    },
    fills: (since) => ({ fills: fills.filter(({ id }) => id > since), last: fills.length }),
    ...changes,
  });
  const stream = new Stream(api, 'run');
  const join = async (lastId?: string) => {
    const reader = new Reader();
    const isIn = stream.join(reader as unknown as ServerResponse, lastId);
    await turns();
    return { reader, isIn };
  };
  return {
    join,
    reads,
    fill: () => void fills.push({ id: fills.length + 1 } as unknown as FillJson),
    touch: (id: string) => void touched.add(id),
    change: (id: string, profit: number) => (profits.set(id, profit), touched.add(id)),
  };
}

/** Lets what waits for the event loop happen. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    vi.advanceTimersByTime(250);
    await turns();
  }
}

describe('the stream', () => {
  it('begins with how long to wait, the status and all rows', async () => {
    const { join } = scene();
    const { reader } = await join();
    expect(reader.text).toContain('retry: 1000');
    expect(reader.take()).toEqual([
      { event: 'status', id: null, data: { runId: 'r' } },
      {
        event: 'rows',
        id: 'run/2',
        data: [
          { marketId: '1', profit: 0 },
          { marketId: '2', profit: 0 },
        ],
      },
    ]);
  });

  it('tells of a market once however often it changed, and not when it is as it was', async () => {
    const { join, change, touch } = scene();
    const { reader } = await join();
    reader.take();
    for (let profit = 1; profit <= 9; profit += 1) change('2', profit);
    touch('1');
    await pass(250);
    expect(reader.rows()).toEqual([{ marketId: '2', profit: 9 }]);
  });

  it('tells of the status once a second', async () => {
    const { join } = scene();
    const { reader } = await join();
    reader.take();
    await pass(4_000);
    expect(reader.take().filter(({ event }) => event === 'status')).toHaveLength(4);
  });

  it('tells of fills once', async () => {
    const { join, fill } = scene();
    const { reader } = await join();
    reader.take();
    fill();
    await pass(500);
    expect(reader.take().filter(({ event }) => event === 'fills')).toMatchObject([{ data: [{ id: 1 }] }]);
  });

  it('goes on where a reader was', async () => {
    const { join, change } = scene();
    const { reader } = await join();
    const last = reader.take().at(-1)!.id!;
    change('1', 5);
    await pass(250);
    const { reader: again } = await join(last);
    expect(again.rows()).toEqual([{ marketId: '1', profit: 5 }]);
    const { reader: ofAnother } = await join('another/2');
    expect(ofAnother.rows()).toHaveLength(2);
  });

  it('leaves a slow reader out, and tells it what changed once it reads', async () => {
    const { join, change } = scene();
    const { reader } = await join();
    reader.take();
    reader.writableLength = 1_000_000;
    for (let profit = 1; profit <= 20; profit += 1) {
      change('1', profit);
      await pass(250);
    }
    expect(reader.text).toBe('');
    reader.writableLength = 0;
    await pass(250);
    expect(reader.rows()).toEqual([{ marketId: '1', profit: 20 }]);
  });

  it('gives up a reader that takes nothing for more than a minute', async () => {
    const { join } = scene();
    const { reader } = await join();
    let isGone = false;
    reader.on('close', () => (isGone = true));
    reader.writableLength = 1_000_000;
    await pass(59_000);
    expect(isGone).toBe(false);
    await pass(2_000);
    expect(isGone).toBe(true);
  });

  it('lets its readers go when something cannot be read, and takes them again', async () => {
    let isBroken = false;
    const status = () => {
      if (isBroken) throw new Error('no status');
      return { runId: 'r' } as unknown as StatusJson;
    };
    const { join } = scene({ status });
    const { reader } = await join();
    let isGone = false;
    reader.on('close', () => (isGone = true));
    isBroken = true;
    await pass(1_000);
    expect(isGone).toBe(true);
    isBroken = false;
    expect((await join()).reader.take()).toHaveLength(2);
  });

  it('reads nothing while nobody looks', async () => {
    const { join, change, reads } = scene();
    const { reader } = await join();
    reader.end();
    change('1', 5);
    await pass(2_000);
    expect(reads).toEqual([]);
  });

  it('takes so many readers and no more', async () => {
    const { join } = scene();
    for (let one = 0; one < 16; one += 1) expect((await join()).isIn).toBe(true);
    expect((await join()).isIn).toBe(false);
  });
});
