import type { Input } from '../../domain/inputs.js';
import { type TapeLine, type TapeRecord, unplaced } from './records.js';

/**
 * What a line says of markets and the connection, without the engine that heard it.
 * @returns null for what makes sense within its own tape alone
 */
export function passive(line: TapeLine): TapeRecord | null {
  const record = unplaced(line);
  if (record.kind === 'frame') {
    const { seq: _seq, ...frame } = record;
    return frame;
  }
  if (record.kind === 'input') return isNews(record.input) ? { kind: 'input', input: record.input } : null;
  return record.kind === 'rest' || record.kind === 'recorded' || record.kind === 'gap' ? record : null;
}

const isNews = ({ kind }: Input): boolean => kind === 'connection' || kind === 'subscription';
