import type { SendEffect } from '../../domain/effects.js';
import type { Micros } from '../../domain/units.js';
import type { Outcome, Service } from '../../venues/simulated/request-desk.js';

/** A request on its way to the venue, or back for its next call. */
export interface CallUnderWay {
  readonly effect: SendEffect;
  readonly sentAt: Micros;
  /** Which of its calls this is, from 1. */
  readonly calls: number;
  readonly service: Service;
}

/** An answer on its way back. */
export interface AnswerUnderWay {
  readonly effect: SendEffect;
  /** null: it never left. */
  readonly sentAt: Micros | null;
  /** That it took. */
  readonly calls: number;
  readonly outcome: Outcome;
}

/** Reads of an event need no signature, and only signed requests count against the limit of a key. */
export const isCounted = ({ request }: SendEffect): boolean => request.kind !== 'read-event';
