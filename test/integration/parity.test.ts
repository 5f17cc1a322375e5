import { describe, expect, it } from 'vitest';
import { checkParity, isIdentical } from '../../src/app/replay/parity.js';
import { readRunFile, TapeReader } from '../../src/tape/index.js';
import { BAD_DAY, recordedSession } from '../support/recorded-session.js';
import { scratchFolder } from '../support/scratch-folder.js';

describe('a session over the wire with faults on', () => {
  it('is replayed from its tape to the same decisions, all of them', async () => {
    const session = await recordedSession({
      stateDir: scratchFolder(),
      runId: 'parity-1',
      faults: BAD_DAY,
      until: ({ counts }) => counts.decisions > 200 && counts.fills > 3,
    });
    const parity = await checkParity(session.folder);
    expect(parity.divergence).toBeNull();
    expect(isIdentical(parity)).toBe(true);
    expect(parity).toMatchObject({
      decisions: session.view.counts.decisions,
      replayedHash: session.decisionHash,
      recordedHash: session.decisionHash,
      ending: { state: 'closed', tornBytes: 0 },
      changed: [],
    });
    expect(readRunFile(session.folder)).toMatchObject({
      outcome: session.end.outcome,
      decisions: { count: parity.decisions, hash: session.decisionHash },
    });
    const kinds = new Set<string>();
    for await (const batch of new TapeReader(session.folder).batches())
      for (const { line } of batch) kinds.add(line.kind);
    expect([...kinds].toSorted()).toEqual(
      ['close', 'decision', 'end', 'fill', 'frame', 'head', 'input', 'rest', 'segment', 'start'].toSorted(),
    );
  });
});
