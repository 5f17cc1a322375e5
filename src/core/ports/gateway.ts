import type { Observable } from 'rxjs';
import type { SendEffect } from '../../domain/effects.js';
import type { Answer } from '../../domain/answers.js';

/**
 * Where effects leave. Every submitted request yields exactly one answer, whatever happens to it; answers never
 * come synchronously from within `submit`.
 */
export interface Gateway {
  readonly answers: Observable<Answer>;
  submit(effect: SendEffect): void;
  /** Resolves when nothing is under way any more or the time is over. */
  drain(timeoutMs: number): Promise<void>;
}
