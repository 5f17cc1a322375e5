import type { EngineView } from '../../core/engine/observing/view.js';

/** What a screen shows at one moment. */
export interface ScreenFrame {
  readonly title: string;
  readonly view: EngineView;
  readonly elapsedMs: number;
  /** Full URLs to show below the title, with their names. */
  readonly links: readonly { readonly name: string; readonly url: string }[];
  /** Shown in the last line, such as how to stop; of several parts with semicolons the last one matters most. */
  readonly hint: string;
}
