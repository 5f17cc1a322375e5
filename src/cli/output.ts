/** The one way to standard output and standard error, for everything but the screen. */
import { plainJson, plainText } from '../domain/plain-text.js';

/** Writes results: lines on standard output. A text may have several lines. */
export const print = (...texts: readonly string[]): void => write(process.stdout, texts);

/** Writes remarks: lines on standard error. */
export const remark = (...texts: readonly string[]): void => write(process.stderr, texts);

/** Writes one JSON document on a line of standard output. @param indent spaces, for a document of several lines */
export const printJson = (value: unknown, indent?: number): void =>
  void process.stdout.write(`${plainJson(JSON.stringify(value, null, indent))}\n`);

function write(stream: NodeJS.WriteStream, texts: readonly string[]): void {
  const lines = texts.flatMap((text) => text.split('\n'));
  stream.write(lines.map((line) => `${plainText(line)}\n`).join(''));
}

/** Waits until whoever reads our output has taken all of it, or has gone. */
export async function drained(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
    ),
  );
}
