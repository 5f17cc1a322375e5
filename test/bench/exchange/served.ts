import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BUILT_PROGRAM, NODE_OPTIONS } from '../processes.js';
import type { Report, SpeakOrder } from './server-process.js';

/** The exchange in a process of its own. */
export interface Served {
  readonly port: number;
  /** Changes every book so many times. @returns messages that each subscriber of all events is to receive */
  speak(changes: number): Promise<number>;
  stop(): void;
}

/** @param file what runs in the server's process */
export async function serve(file = new URL('./server-process.ts', import.meta.url)): Promise<Served> {
  const child = fork(fileURLToPath(file), {
    execArgv: [...NODE_OPTIONS, '--import', BUILT_PROGRAM],
  });
  const { port } = (await report(child)) as { port: number };
  return {
    port,
    speak: async (changes) => {
      const order: SpeakOrder = { changes };
      child.send(order);
      return ((await report(child)) as { messages: number }).messages;
    },
    stop: () => child.disconnect(),
  };
}

async function report(child: ChildProcess): Promise<Report> {
  const [message] = (await once(child, 'message')) as [Report];
  return message;
}
