import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { cannotWrite, UsageError } from '../../domain/errors.js';
import type { FinishedJob } from './job.js';
import { makeFolder } from '../../storage/files/whole-files.js';

/** Schema of a finished job. */
export const finishedJobSchema = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{64}$/),
  profits: z.array(z.number()),
  fills: z.array(z.number()),
  stops: z.array(z.array(z.string())),
  faults: z.array(z.array(z.string())),
});
/** Jobs of earlier versions lack stops or faults: they are run again. */
const keptJobSchema = finishedJobSchema.partial({ stops: true, faults: true });

/** File of finished jobs, a line each. A killed sweep goes on behind the last line. */
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
   * Reads the file. An incomplete last line is removed: the sweep was killed while writing it.
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

  /** Appends a job, once. */
  add(job: FinishedJob): void {
    if (this.jobs.has(job.key)) return;
    this.append(`${JSON.stringify(job)}\n`);
    this.keep(job);
  }

  close(): void {
    closeSync(this.handle);
  }

  /** A full disk may leave a part of a line: the next start removes it. */
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

/** As {@link cannotWrite}; finished jobs are kept. */
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
