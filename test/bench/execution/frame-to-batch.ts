/** From the text of a frame to the signed batch of twenty orders that it leads to. */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { NestedStyle } from '../../../src/venues/futuur/protocol/signed-values.js';
import { houseOf } from '../engine/house.js';
import { AgreeableTransport } from './agreeable-transport.js';
import { openDoorsAlone } from './doors-alone.js';
import { bookText, orderText } from './frames.js';
import { IdiomaticStack } from './idiomatic.js';
import { openSpin } from './spin.js';
import { eventsOf, LADDER, openStage, type Stage, type StageOptions } from './stage.js';
import { VenuePacedClock } from './venue-paced-clock.js';

export const MODES = ['hot', 'hot-omit', 'sleeping'] as const;
export type Mode = (typeof MODES)[number];
export const STACKS = ['oddsmith', 'idiomatic', 'doors', 'spin'] as const;
export type StackName = (typeof STACKS)[number];

/** Microseconds. */
export interface BatchTimes {
  readonly p50: number;
  readonly p99: number;
}

const HOUSE = houseOf(10, LADDER);
const TARGETS = eventsOf(HOUSE).flatMap(({ id, markets }) =>
  markets.map((market) => ({ event: id, market })),
);
const ORDERS = 20;
const GAP_MS = 2;
/** 2,000 requests a minute. */
const ALLOWED_EVERY_MS = 30;
const MIDS = [45, 55] as const;
/** How long a frame is to take, microseconds. */
const WANTED = { hot: 28, 'hot-omit': 20, sleeping: 75 } as const;
const WARM_UP = 3_000;
const COUNTED = { hot: 7_000, 'hot-omit': 7_000, sleeping: 3_000 } as const;

/** Something that turns the text of a frame into a signed batch. */
export interface Stack {
  readonly targets: readonly { readonly event: number; readonly market: number }[];
  readonly receive: (text: string) => void;
  /** The venue's book is so from now on. */
  shows(market: number, midCents: number): void;
  /** Called for every batch. @param readyAt performance.now() when it was ready */
  onBatch: (items: number, readyAt: number) => void;
  /** Whatever the venue says after the batch. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function measureBatches(mode: Mode, name: StackName): Promise<BatchTimes> {
  const stack = await OPEN[name](mode);
  await placeFirst(stack);
  const times: number[] = [];
  for (let frame = 0; frame < WARM_UP + COUNTED[mode]; frame++) {
    const us = await timeOne(stack, frame);
    if (frame >= WARM_UP) times.push(us);
    if (!mode.startsWith('hot')) await pause(GAP_MS);
  }
  await stack.close();
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(times.length * 0.5)]!, p99: times[Math.floor(times.length * 0.99)]! };
}

async function placeFirst(stack: Stack): Promise<void> {
  for (const { event, market } of stack.targets) {
    stack.shows(market, MIDS[1]);
    stack.receive(bookText(event, market, MIDS[1], Date.now()));
    await stack.settle();
  }
}

async function timeOne(stack: Stack, frame: number): Promise<number> {
  const { event, market } = stack.targets[frame % stack.targets.length]!;
  const mid = MIDS[Math.floor(frame / stack.targets.length) % 2]!;
  const text = bookText(event, market, mid, Date.now());
  stack.shows(market, mid);
  let [readyAt, items] = [0, 0];
  stack.onBatch = (count, at) => {
    readyAt = at;
    items += count;
  };
  const before = performance.now();
  stack.receive(text);
  if (items !== ORDERS) throw new Error(`frame ${frame} led to ${items} orders, not ${ORDERS}`);
  await stack.settle();
  return (readyAt - before) * 1_000;
}

const OPEN: Readonly<Record<StackName, (mode: Mode) => Promise<Stack>>> = {
  oddsmith: (mode) => paced(nestedIn(mode), openStage),
  idiomatic: (mode) => IdiomaticStack.open(TARGETS, nestedIn(mode)),
  doors: (mode) => paced(nestedIn(mode), openDoorsAlone),
  spin: (mode) => Promise.resolve(openSpin(TARGETS, WANTED[mode], ORDERS)),
};

const nestedIn = (mode: Mode): NestedStyle => (mode === 'hot-omit' ? 'omit' : 'python');

/** Private frames about what an answer told of follow the answer. */
async function paced(nested: NestedStyle, open: (options: StageOptions) => Promise<Stage>): Promise<Stack> {
  const stack: Partial<Stack> = { onBatch: () => undefined };
  const transport = new AgreeableTransport((items, readyAt) => stack.onBatch?.(items, readyAt));
  const clock = new VenuePacedClock();
  const stage = await open({ house: HOUSE, nested, sync: 'group', transport, clock });
  const settle = async (): Promise<void> => {
    await turn();
    clock.setForward(ALLOWED_EVERY_MS);
    for (const order of transport.venue.told.splice(0)) stage.receive(orderText(order, Date.now()));
    await turn();
  };
  return Object.assign(stack, {
    targets: TARGETS,
    receive: stage.receive,
    shows: (market: number, mid: number) => transport.venue.shows(market, mid),
    settle,
    close: () => stage.close(),
  }) as Stack;
}
