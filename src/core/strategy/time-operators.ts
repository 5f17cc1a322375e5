/**
 * The Rx operators that wait, as strategies get them: the scheduler is not optional, because the default one of Rx
 * is the machine's clock.
 */
import * as rx from 'rxjs';
import type { MonoTypeOperatorFunction, Observable, SchedulerLike } from 'rxjs';

/** The newest value once so many milliseconds have passed since the first that was held back. */
export const auditTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.auditTime(ms, scheduler);

/** A value once so many milliseconds have passed without another. */
export const debounceTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.debounceTime(ms, scheduler);

/** Every value so many milliseconds later. */
export const delay = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.delay(ms, scheduler);

/** 0, 1, 2 and so on, one every so many milliseconds. */
export const interval = (ms: number, scheduler: SchedulerLike): Observable<number> =>
  rx.interval(ms, scheduler);

/** The newest value every so many milliseconds, when there is a new one. */
export const sampleTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.sampleTime(ms, scheduler);

/** A value and then none for so many milliseconds. */
export const throttleTime = <T>(ms: number, scheduler: SchedulerLike): MonoTypeOperatorFunction<T> =>
  rx.throttleTime(ms, scheduler);

/** 0 after so many milliseconds. */
export const timer = (ms: number, scheduler: SchedulerLike): Observable<0> => rx.timer(ms, scheduler);
