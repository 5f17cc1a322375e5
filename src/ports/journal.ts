import type { VenueRequest } from '../domain/effects.js';
import type { Answer } from '../domain/inputs.js';
import type { Micros } from '../domain/units.js';

/** One line of the journal. `request` is written before the first byte of the request leaves. */
export type JournalRecord =
  | { readonly kind: 'run'; readonly runId: string; readonly at: Micros; readonly configHash: string }
  | {
      readonly kind: 'request';
      readonly requestId: number;
      readonly key: string | null;
      readonly at: Micros;
      readonly request: VenueRequest;
      readonly body: string;
    }
  | {
      readonly kind: 'answer';
      readonly requestId: number;
      readonly at: Micros;
      readonly outcome: Answer['outcome'];
    }
  | { readonly kind: 'end'; readonly at: Micros; readonly outcome: string };

/** Append-only memory that survives SIGKILL. */
export interface Journal {
  /** Returns once the record is in the kernel. @throws JournalError when it could not be written: send nothing then */
  append(record: JournalRecord): void;
  close(): Promise<void>;
}
