import type { FrameListener } from '../../../src/venues/futuur/realtime/pusher-link.js';

/** Hands the text of a frame on as pusher-js does: parsed, and its payload with it, unless that is no JSON. */
export function receive(text: string, listener: FrameListener): void {
  const { event, channel, data } = JSON.parse(text) as { event: string; channel?: string; data: unknown };
  if (!event.startsWith('pusher')) listener.onFrame(event, channel ?? '', parsed(data));
}

function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
