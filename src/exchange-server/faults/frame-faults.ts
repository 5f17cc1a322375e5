import type { Micros } from '../../domain/units.js';
import type { FrameFault } from '../../venues/simulated/models/faults.js';
import type { Clock } from '../../core/ports/clock.js';
import { isPrivateChannel } from '../../venues/futuur/protocol/realtime/channels.js';
import type { Connection } from '../realtime/connection.js';
import type { FaultDesk } from './request-faults.js';

const MICROS_PER_MS = 1_000;
/** A frame held back to be overtaken leaves after this long if nothing overtakes it. */
const OVERTAKING_MS = 1_000;

/** As much of a connection as faults act on. */
export type FrameTarget = Pick<Connection, 'send' | 'drop'>;

/** One frame on its way to one connection. */
interface Passage {
  readonly connection: FrameTarget;
  readonly frame: string;
  readonly ms: number | undefined;
}

type Effects = Readonly<Record<FrameFault, (passage: Passage) => void>>;

/** What the faults in force do to event frames. */
export class FrameFaults {
  /** Frames waiting to be overtaken. */
  private readonly held = new WeakMap<FrameTarget, string>();
  private readonly mutedUntil = new WeakMap<FrameTarget, number>();

  constructor(
    private readonly desk: FaultDesk,
    private readonly clock: Clock,
  ) {}

  /** Whether frames must pass here at all. */
  get active(): boolean {
    return this.desk.touchesFrames;
  }

  deliver(connection: FrameTarget, channel: string, frame: string): void {
    const rule = this.desk.ofFrame(channel);
    if (this.isMuted(connection, channel)) return;
    if (rule === null) this.pass(connection, frame);
    else this.effects[rule.kind]({ connection, frame, ms: rule.ms });
  }

  private readonly effects: Effects = {
    drop_ws: ({ connection }) => connection.drop('fault'),
    frame_lose: () => undefined,
    frame_dup: ({ connection, frame }) => {
      this.pass(connection, frame);
      connection.send(frame);
    },
    frame_delay: ({ connection, frame, ms = OVERTAKING_MS }) => this.later(ms, () => connection.send(frame)),
    frame_reorder: ({ connection, frame, ms = OVERTAKING_MS }) => {
      this.release(connection);
      this.held.set(connection, frame);
      this.later(ms, () => this.release(connection, frame));
    },
    mute_private: ({ connection, ms }) => {
      this.mutedUntil.set(connection, ms === undefined ? Infinity : this.clock.now() + ms * MICROS_PER_MS);
    },
  };

  /** Sends a frame, and behind it the one that waited to be overtaken. */
  private pass(connection: FrameTarget, frame: string): void {
    connection.send(frame);
    this.release(connection);
  }

  /** @param expected release this frame only */
  private release(connection: FrameTarget, expected?: string): void {
    const waiting = this.held.get(connection);
    if (waiting === undefined || (expected !== undefined && waiting !== expected)) return;
    this.held.delete(connection);
    connection.send(waiting);
  }

  private isMuted(connection: FrameTarget, channel: string): boolean {
    return isPrivateChannel(channel) && (this.mutedUntil.get(connection) ?? 0) > this.clock.now();
  }

  private later(ms: number, action: () => void): void {
    this.clock.at((this.clock.now() + ms * MICROS_PER_MS) as Micros, action);
  }
}
