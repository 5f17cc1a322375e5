import type { Engine } from '../../../src/core/engine/engine.js';
import type { EngineOptions } from '../../../src/core/engine/options.js';
import type { Wire } from '../../../src/venues/futuur/rest/wire.js';

export type Caller = Pick<Wire, 'call'>;

/** Where a simulation may put something else into a bot: what canaries are made with. Nothing in `src` knows of it. */
export interface Seam {
  readonly options: (options: EngineOptions) => EngineOptions;
  readonly wire: (wire: Caller) => Caller;
  /** Called before its first input. */
  readonly engine: (engine: Engine) => void;
}

/** The bot as it is. */
export const UNCHANGED: Seam = {
  options: (options) => options,
  wire: (wire) => wire,
  engine: () => undefined,
};
