/** The thread that screens configurations on one piece at a time. */
import { openShared, type SharedRecording } from '../../storage/index.js';
import type { BotSettings } from '../../settings/index.js';
import { type Answer, answerOf } from '../threads.js';
import { screenPiece } from './screen-piece.js';
import type { ScreenTotals } from './screen.js';

/** Configurations on one piece. Decoded blocks lie in shared memory. */
export interface ScreenTask {
  /** Without keys. */
  readonly configurations: readonly BotSettings[];
  /** The configuration file: strategies are found from its folder. */
  readonly file: string;
  readonly recordings: readonly SharedRecording[];
}

export default ({
  configurations,
  file,
  recordings,
}: ScreenTask): Promise<Answer<readonly (readonly ScreenTotals[])[]>> =>
  answerOf(screenPiece(configurations, file, recordings.map(openShared)));
