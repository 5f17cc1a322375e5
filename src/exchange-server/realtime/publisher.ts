import type { ExchangeCore, ExchangeEvent } from '../../exchange/contract.js';
import { eventText } from '../../venues/futuur/protocol/pusher-frames.js';
import type { Logger } from '../../core/ports/logger.js';
import type { FrameFaults } from '../faults/frame-faults.js';
import { fitted } from './fitting.js';
import type { Hub } from './hub.js';
import type { Message } from './messages.js';
import { messageOf } from './messages.js';
import { textFrame } from './text-frame.js';

/** Messages that could not be sent as they are, since the start. */
export interface OversizedCounts {
  /** Sent without their trailing markets. */
  trimmed: number;
  /** Too large, not sent. */
  withheld: number;
}

export interface PublisherParts {
  readonly exchange: ExchangeCore;
  readonly hub: Hub;
  readonly faults: FrameFaults;
  readonly logger: Logger;
}

/** Brings what the core says to whoever listens: each message is written and framed once per channel. */
export class Publisher {
  readonly counts: OversizedCounts = { trimmed: 0, withheld: 0 };

  constructor(private readonly parts: PublisherParts) {}

  publish(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      const message = messageOf(event, this.parts.exchange);
      if (message !== null) this.send(message);
    }
  }

  private send(message: Message): void {
    const heard = message.channels.filter((channel) => this.parts.hub.isHeard(channel));
    if (heard.length === 0) return;
    const json = this.write(message);
    if (json === null) return;
    for (const channel of heard) this.fanOut(channel, textFrame(eventText(message.event, channel, json)));
  }

  private write(message: Message): string | null {
    const { event, channels } = message;
    const longest = channels.reduce((one, other) => (other.length > one.length ? other : one));
    const { json, droppedMarkets } = fitted(message.payload(), (text) => eventText(event, longest, text));
    if (json === null) this.counts.withheld += 1;
    else if (droppedMarkets > 0) this.counts.trimmed += 1;
    else return json;
    this.parts.logger.warn('a realtime message exceeds 10 KB', { event, droppedMarkets });
    return json;
  }

  private fanOut(channel: string, frame: Buffer): void {
    const { hub, faults } = this.parts;
    for (const connection of hub.listeners(channel)) {
      if (faults.active) faults.deliver(connection, channel, frame);
      else connection.send(frame);
    }
  }
}
