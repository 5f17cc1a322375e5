/** What an exchange has on its disk: the log of its commands, and now and then a snapshot. Outlives its process. */
import type { Command, ExchangeConfig, ExchangeSnapshot } from '../../../src/exchange/contract.js';
import { Exchange } from '../../../src/exchange/exchange.js';
import type { CommandLog, CommandRecord } from '../../../src/core/ports/command-log.js';

type Line = CommandRecord<Command>;

export class VenueMemory {
  readonly log: CommandLog<Command>;
  #lines: Line[] = [];
  #snapshot: { readonly text: string; readonly sequence: number } | null = null;

  constructor() {
    const lastSequence = (): number => this.#lines.at(-1)?.sequence ?? this.#snapshot?.sequence ?? 0;
    this.log = {
      get lastSequence() {
        return lastSequence();
      },
      append: (line) => void this.#lines.push(line),
      close: () => Promise.resolve(),
    };
  }

  /** Writes everything down, so that the log before it is not needed any more. */
  take(snapshot: ExchangeSnapshot): void {
    this.#snapshot = { text: JSON.stringify(snapshot), sequence: this.log.lastSequence };
    this.#lines = [];
  }

  /** The exchange as it was, from the snapshot and the commands since then. */
  recall(config: ExchangeConfig): Exchange {
    const exchange =
      this.#snapshot === null
        ? new Exchange(config)
        : Exchange.restore(JSON.parse(this.#snapshot.text) as ExchangeSnapshot);
    for (const { command, at } of this.#lines) exchange.execute(command, at);
    return exchange;
  }
}
