/** The bot's own parts, from pusher-js to the signed request, put together as every bot is. */
import { clientOf } from '../../../src/venues/futuur/requests.js';
import { assemble } from '../../../src/runs/live/assembly.js';
import type { Answer } from '../../../src/domain/answers.js';
import { engineOptionsOfHouse, type House } from '../engine/house.js';
import { type DoorOptions, fail, joined, openDoors } from './doors.js';
import { frameReceiver } from './pusher-socket.js';

/** Ten levels a side, so that a move of ten ticks replaces twenty orders in one batch. */
export const LADDER = { halfSpread: '0.105', levels: 10 };

export interface StageOptions extends Omit<DoorOptions, 'events'> {
  readonly house: House;
  /** Told of every answer, once it is read, before the engine is. */
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Stage {
  /** Events and their markets, by number. */
  readonly events: readonly { readonly id: number; readonly markets: readonly number[] }[];
  /** Hands the text of one frame to pusher-js as its socket does. */
  readonly receive: (text: string) => void;
  close(): Promise<void>;
}

export const eventsOf = ({ settings }: House): Stage['events'] =>
  settings.events.map(({ id, markets }) => ({
    id: Number(id),
    markets: markets.map((market) => Number(market.id)),
  }));

/** Resolves once the bot is connected and has read what it needs. */
export async function openStage({ house, onAnswer, ...doorOptions }: StageOptions): Promise<Stage> {
  const { clock } = doorOptions;
  const engine = await engineOptionsOfHouse(house);
  const doors = await openDoors({ ...doorOptions, events: eventsOf(house).map(({ id }) => id) });
  const { gateway, loop } = assemble({
    feed: doors.feed,
    client: clientOf(doors.wire),
    journal: doors.journal,
    clock,
    settings: house.settings,
    engine,
    startedAt: clock.now(),
    observers: [],
    latched: () => null,
    onFault: fail,
    onNotice: ({ level, text }) => level === 'error' && fail(new Error(text)),
    onEnd: ({ text }) => fail(new Error(text)),
    onBroken: (error) => fail(error),
  });
  if (onAnswer !== undefined) gateway.answers.subscribe(onAnswer);
  loop.start();
  await joined();
  return {
    events: eventsOf(house),
    receive: frameReceiver(),
    close: async () => {
      loop.close();
      await doors.close();
    },
  };
}
