#!/usr/bin/env node
import { Console } from 'node:console';
import { CommanderError } from 'commander';
import { EXIT, type ExitCode } from '../domain/errors.js';
import { describeFailure, exitCodeOf } from './failure.js';
import { drained, remark } from './output.js';
import { buildProgram } from './program.js';

async function main(): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.clean;
  try {
    await buildProgram((code) => void (exitCode = code)).parseAsync();
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
    remark(describeFailure(error));
    return exitCodeOf(error);
  }
}

// What a strategy prints is no result.
globalThis.console = new Console(process.stderr, process.stderr);

// Whoever read our results went away: that is the same as a closed terminal, and quotes are withdrawn before the end.
process.stdout.once('error', () => process.emit('SIGTERM', 'SIGTERM'));
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** An error that nobody caught is a bug: it is told, quotes are withdrawn by the usual way, and the exit code is 1. */
let hasBroken = false;
function broke(error: unknown): void {
  remark(describeFailure(error));
  if (hasBroken) return;
  hasBroken = true;
  if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(EXIT.internal);
}
process.on('uncaughtException', broke);
process.on('unhandledRejection', broke);

// Everything is closed by now; exiting makes sure that a forgotten handle cannot keep the process alive.
const code = await main();
await drained();
process.exit(hasBroken && (code === EXIT.clean || code === EXIT.forced) ? EXIT.internal : code);
