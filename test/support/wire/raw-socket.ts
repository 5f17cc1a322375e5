/** A TCP connection that says exactly what a test wants, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export class RawSocket {
  private received = '';
  private readonly socket: Socket;
  /** Everything received until the other side ended the connection. */
  readonly ended: Promise<string>;

  constructor(address: string) {
    const { hostname, port } = new URL(address);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (bytes) => (this.received += bytes.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.socket.on('close', () => resolve(this.received)));
  }

  write(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Says that nothing more will come. */
  finish(): this {
    this.socket.end();
    return this;
  }

  get text(): string {
    return this.received;
  }

  destroy(): void {
    this.socket.destroy();
  }
}
