/** The thread that screens configurations, one on one piece at a time. */
import { openShared, type SharedRecording } from '../../storage/index.js';
import type { BotSettings } from '../../settings/index.js';
import { type Answer, answerOf } from '../threads.js';
import { screenPiece } from './screen-piece.js';
import type { ScreenTotals } from './screen.js';

/** One configuration on one piece. Decoded blocks lie in shared memory. */
export interface ScreenTask {
  /** Without keys. */
  readonly settings: BotSettings;
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

export default ({ settings, file, recordings }: ScreenTask): Promise<Answer<readonly ScreenTotals[]>> =>
  answerOf(screenPiece(settings, file, recordings.map(openShared)));
