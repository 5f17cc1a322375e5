import type { TapeLine } from './records.js';

/** Whether a line begins a time of which a tape says nothing: lines that were left out, or a connection that was lost. */
export const isGap = (line: TapeLine): boolean =>
  line.kind === 'gap' ||
  (line.kind === 'input' && line.input.kind === 'connection' && line.input.state === 'lost');

/** What is to be said of so many to people. */
export const gapNotes = (gaps: number): readonly string[] =>
  gaps === 0 ? [] : [`it has ${gaps} gaps, in which its books stand still`];
