import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections of clients: who tries one of those again and again may reach itself. */
const LOWEST_PORT = 20_000;
const PORTS = 10_000;

/** A port that nobody listens on now, and that stays free while who is to listen there is dead. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + randomInt(PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
