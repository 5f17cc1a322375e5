import type { Micros } from '../../domain/units.js';

/** One command of the bundled exchange. Together with its configuration, the records in order are the exchange. */
export interface CommandRecord<Command> {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** When it was executed; never decreasing. */
  readonly at: Micros;
  /** Plain JSON. */
  readonly command: Command;
}

/** Append-only memory of the bundled exchange that survives SIGKILL. */
export interface CommandLog<Command> {
  /** Sequence of the last record kept; 0 for an empty log. */
  readonly lastSequence: number;
  /**
   * Returns once the record is in the kernel; only then is the command executed and answered.
   * @throws JournalError when it could not be written: the command must not be executed then
   */
  append(record: CommandRecord<Command>): void;
  close(): Promise<void>;
}
