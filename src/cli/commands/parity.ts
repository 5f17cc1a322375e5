import { checkParity, type Decided, decisionOf, isIdentical, type Parity } from '../../runs/replay/replay.js';
import { EXIT, type ExitCode } from '../../domain/errors.js';
import { describePlace, TapeReader } from '../../storage/index.js';
import { ReadingProgress } from '../screen/progress.js';
import { print, printJson } from '../output.js';

/** `oddsmith parity <tape>`: replays a run and compares every decision; 1 when one differs. */
export async function runParity(path: string, { json }: { readonly json: boolean }): Promise<ExitCode> {
  const progress = new ReadingProgress('replaying', await new TapeReader(path).packedBytes());
  const parity = await checkParity(path, { onRead: progress.onRead }).finally(() => progress.done());
  if (json) printJson({ identical: isIdentical(parity), ...parity });
  else print(...parityLines(parity));
  return isIdentical(parity) ? EXIT.clean : EXIT.internal;
}

/** For people. */
export function parityLines(parity: Parity): readonly string[] {
  const { inputs, decisions, recordedHash, replayedHash, changed } = parity;
  return [
    `${inputs.toLocaleString('en-US')} inputs, ${decisions.toLocaleString('en-US')} identical decisions`,
    `recorded ${recordedHash ?? '(the tape has no end)'}`,
    `replayed ${replayedHash}`,
    ...changed.map((file) => `the strategy is not what it was when this was recorded: ${file}`),
    ...outcomeLines(parity),
  ];
}

function outcomeLines(parity: Parity): readonly string[] {
  const { divergence, gap, ending } = parity;
  if (divergence !== null)
    return [
      `decision ${divergence.index} differs`,
      ...sideLines('recorded', divergence.recorded),
      ...sideLines('replayed', divergence.replayed),
    ];
  if (gap !== null) return [`nothing can be compared behind the gap at ${describePlace(gap.place)}`];
  if (!isIdentical(parity)) return ['the last hashes differ'];
  return [ending.state === 'closed' ? 'identical' : 'identical as far as the tape goes: it is unfinished'];
}

function sideLines(side: string, decided: Decided | null): readonly string[] {
  if (decided === null) return [`  ${side}: nothing more is decided`];
  const { in: seq, n, kind } = decisionOf(decided.line);
  return [
    `  ${side}: ${kind}, number ${n} of input ${seq}`,
    `    ${decided.line}`,
    `    input at ${describePlace(decided.input.place)}: ${JSON.stringify(decided.input.line)}`,
  ];
}
