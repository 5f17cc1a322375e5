import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { cannotWrite, UsageError } from '../../domain/errors.js';
import type { FinishedJob } from './job.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** A finished job, read from outside. */
export const finishedJobSchema = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  profits: z.array(z.number()),
  fills: z.array(z.number()),
  stops: z.array(z.array(z.string())),
  faults: z.array(z.array(z.string())),
});
/** Earlier versions did not say what guards, or faults, had stopped: such a job is run again. */
const keptJobSchema = finishedJobSchema.partial({ stops: true, faults: true });

/** What is done, a line a job, appended as it is finished: a sweep that was killed goes on behind the last line. */
export class FinishedJobs {
  private readonly jobs = new Map<string, FinishedJob>();

  private constructor(
    private readonly handle: number,
    text: string,
    private readonly file: string,
  ) {
    text.split('\n').forEach((line, at) => {
      const job = line === '' ? null : parsed(line, file, at + 1);
      if (job !== null) this.keep(job);
    });
  }

  /**
   * Reads what is there. A last line without its end was being written when the sweep was killed, and is taken away.
   * @throws UsageError when the file cannot be opened, or another line is no finished job
   */
  static open(file: string): FinishedJobs {
    const handle = openFile(file);
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) ftruncateSync(handle, Buffer.byteLength(whole));
    return new FinishedJobs(handle, whole, file);
  }

  get(key: string): FinishedJob | undefined {
    return this.jobs.get(key);
  }

  /** Writes a job down, once. */
  add(job: FinishedJob): void {
    if (this.jobs.has(job.key)) return;
    this.append(`${JSON.stringify(job)}\n`);
    this.keep(job);
  }

  close(): void {
    closeSync(this.handle);
  }

  /** A disk may take a part of a line before it is full: the next start takes that part away. */
  private append(line: string): void {
    try {
      const bytes = Buffer.from(line);
      for (let at = 0; at < bytes.length;) at += writeSync(this.handle, bytes, at);
    } catch (error) {
      throw cannotKeep(this.file, error);
    }
  }

  private keep(job: FinishedJob): void {
    if (!this.jobs.has(job.key)) this.jobs.set(job.key, job);
  }
}

function openFile(file: string): number {
  try {
    makeFolder(dirname(file));
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw cannotKeep(file, error);
  }
}

/** As {@link cannotWrite}: the next start goes on behind what is there. */
export const cannotKeep = (path: string, error: unknown): Error =>
  cannotWrite(path, error, 'what is finished is kept: make room, run the same again');

/** @returns null for a job that is to be run again */
function parsed(line: string, file: string, number: number): FinishedJob | null {
  try {
    const { stops, faults, ...job } = keptJobSchema.parse(JSON.parse(line));
    return stops === undefined || faults === undefined ? null : { ...job, stops, faults };
  } catch {
    throw new UsageError(`${file}:${number}: no finished job; move the file away to begin anew`);
  }
}
