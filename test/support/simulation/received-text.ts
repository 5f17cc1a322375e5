import type { FrameListener } from '../../../src/venues/futuur/realtime/heard-frames.js';

/** Hands the text of a frame on as the library of the realtime service does: parsed, and its payload with it. */
export function receive(text: string, listener: FrameListener): void {
  const { event, channel, data } = JSON.parse(text) as { event: string; channel?: string; data: unknown };
  if (!event.startsWith('pusher'))
    listener.onFrame(event, channel ?? '', typeof data === 'string' ? JSON.parse(data) : data);
}
