/**
 * The way between a Harbour client and the venue, in process and in virtual time: how long each message takes, and what is
 * lost, doubled or overtaken, is the network's to say.
 */
import type { Host } from '../simulation/host.js';
import type { Network } from '../simulation/network.js';
import type { HarbourService, Socket } from './service.js';

export interface SocketListener {
  onOpen(): void;
  onText(text: string): void;
  onClosed(reason: string): void;
}

export type LineResult =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'not-sent' | 'lost'; readonly reason: string };

export interface LineRequest {
  readonly text: string;
  readonly timeoutMs: number;
  /** Called when the first byte is about to leave. @throws WithheldError to keep it back */
  readonly beforeFirstByte: () => void;
}

/** Told of a request's fate, for whoever writes it down. */
export interface LineObserver<Token = unknown> {
  /** The client hands a request over. @returns what the request is known by */
  handed(text: string): Token;
  left(token: Token): void;
  /** @param serve what the venue does meanwhile is because of this request */
  serving(token: Token, serve: () => string): string;
  answered(token: Token, result: LineResult): void;
  /** A message of a socket leaves the venue. */
  posted(text: string): void;
}

export interface LineParts {
  readonly host: Host;
  readonly network: Network;
  /** null while nobody listens at the venue's address. */
  readonly service: () => HarbourService | null;
  readonly observer?: LineObserver;
}

export class HarbourLine {
  /** No answer comes while this is set. */
  isDeaf = false;
  /** How much longer answers, and messages of the socket, take in milliseconds. */
  answersTakeMs = 0;
  messagesTakeMs = 0;
  /** So many of the next messages are lost on their way to the client. */
  loses = 0;
  /** No socket can be opened before. */
  #closedUntil = 0;
  readonly #parts: LineParts;
  #socket: Socket | null = null;
  #listener: SocketListener | null = null;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#socket !== null;
  }

  open(listener: SocketListener): void {
    const { network, host } = this.#parts;
    this.#listener = listener;
    network.carry(() => {
      if (listener !== this.#listener) return;
      const service = this.#parts.service();
      if (service === null || host.clock.monotonic() < this.#closedUntil)
        return host.deliver(() => listener === this.#listener && listener.onClosed('connection refused'));
      const socket: Socket = {
        send: (text) => this.#carry(socket, text),
        hangUp: (reason) => this.cut(reason),
      };
      this.#socket = socket;
      host.deliver(() => socket === this.#socket && listener.onOpen());
    });
  }

  /** Asks for a topic over the socket. */
  ask(text: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#parts.network.carry(() => {
      if (socket === this.#socket) this.#parts.service()?.hear(socket, text);
    });
  }

  /** The client hangs up: nothing more is heard. */
  close(): void {
    if (this.#socket !== null) this.#parts.service()?.forget(this.#socket);
    this.#socket = null;
    this.#listener = null;
  }

  /** The socket breaks. @param forMs until when no other can be opened */
  cut(reason: string, forMs = 0): void {
    const listener = this.#listener;
    const wasOpen = this.isOpen;
    this.#closedUntil = this.#parts.host.clock.monotonic() + forMs * 1_000;
    if (!wasOpen) return;
    this.close();
    this.#parts.host.deliver(() => listener?.onClosed(reason));
  }

  request(request: LineRequest): Promise<LineResult> {
    const { network, host, observer } = this.#parts;
    const token = observer?.handed(request.text);
    return new Promise((resolve) => {
      let isSettled = false;
      const settle = (result: LineResult): void => {
        if (isSettled) return;
        isSettled = true;
        observer?.answered(token, result);
        resolve(result);
      };
      network.after(0.1, () => host.deliver(() => this.#leave(request, token, settle)));
    });
  }

  #carry(socket: Socket, text: string): void {
    if (this.loses > 0) {
      this.loses -= 1;
      return;
    }
    const { network, host, observer } = this.#parts;
    observer?.posted(text);
    const arrive = (): void =>
      host.deliver(() => {
        if (socket === this.#socket) this.#listener?.onText(text);
      });
    network.frame(() => (this.messagesTakeMs === 0 ? arrive() : network.after(this.messagesTakeMs, arrive)));
  }

  #leave(
    { text, timeoutMs, beforeFirstByte }: LineRequest,
    token: unknown,
    settle: (result: LineResult) => void,
  ): void {
    const { network, host, observer, service } = this.#parts;
    if (service() === null) return settle({ kind: 'not-sent', reason: 'connection refused' });
    try {
      beforeFirstByte();
    } catch (error) {
      return settle({ kind: 'not-sent', reason: (error as Error).message });
    }
    observer?.left(token);
    const lost = (reason: string) => (): void => host.deliver(() => settle({ kind: 'lost', reason }));
    const serve = (): string | null => {
      const at = service();
      if (at === null) return null;
      return observer === undefined ? at.serve(text) : observer.serving(token, () => at.serve(text));
    };
    network.after(timeoutMs, lost('time-out'));
    if (network.strikes('requestLost')) return;
    if (network.strikes('requestReset')) return network.carry(lost('reset'));
    if (network.strikes('requestTwice')) network.letter(() => void serve());
    network.letter(() => {
      const answer = serve();
      if (answer === null) return lost('reset')();
      if (this.isDeaf || network.strikes('answerLost')) return;
      if (network.strikes('answerReset')) return lost('reset')();
      network.letter(
        () => host.deliver(() => settle({ kind: 'answered', text: answer })),
        this.answersTakeMs,
      );
    });
  }
}
