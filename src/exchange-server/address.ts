import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { EXIT, OddsmithError } from '../domain/errors.js';

/** Where clients on this machine reach a listener. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Somebody listens on the port already; another one may be free. */
export class PortBusyError extends OddsmithError {
  readonly code = 'ODDSMITH_PORT_BUSY';
  readonly exit = EXIT.usage;

  constructor(
    readonly host: string,
    readonly port: number,
    options?: ErrorOptions,
  ) {
    super(
      `port ${port} on ${host} is in use; choose another one by --port or by exchange.port in the file, 0 for any free one`,
      options,
    );
  }
}

/** The address cannot be listened on: no such interface, or not permitted. */
export class ListenError extends OddsmithError {
  readonly code = 'ODDSMITH_LISTEN';
  readonly exit = EXIT.usage;
}

/** Every interface, which is no address to connect to. */
const ANY_HOST: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** @throws PortBusyError | ListenError */
export async function listen(listener: FastifyInstance, wanted: Address): Promise<Address> {
  try {
    await listener.listen({ host: wanted.host, port: wanted.port });
  } catch (error) {
    await listener.close();
    throw translated(error, wanted);
  }
  const { port } = listener.server.address() as AddressInfo;
  return { host: ANY_HOST[wanted.host] ?? wanted.host, port };
}

function translated(error: unknown, { host, port }: Address): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return new PortBusyError(host, port, { cause: error });
  if (typeof code !== 'string' || !code.startsWith('E')) return error;
  return new ListenError(`cannot listen on ${host}:${port} (${code})`, { cause: error });
}
