import type { ResolutionMode } from '../../../domain/vocabulary.js';

/** Whose claim the newest one of the venue contradicts. */
export type ClaimSource = 'configuration' | 'venue';

/** What a person may want to know about the claims on one event. */
export type ResolutionNews =
  /** The venue says that several markets may resolve long. It was taken for granted that at most one does. */
  | { readonly kind: 'resolution-contradicted'; readonly by: ClaimSource }
  | { readonly kind: 'resolution-agreed' }
  /** The venue says that at most one market resolves long. It was assumed that several may. */
  | { readonly kind: 'resolution-needless'; readonly by: ClaimSource }
  /** Neither configuration nor venue says which it is. */
  | { readonly kind: 'resolution-unsaid' };

/**
 * Decides whether at most one market of an event resolves long. Configuration and venue may disagree about it: the
 * stricter of the two applies. Without a configuration the first claim of the venue takes its place. As long as nobody
 * has said anything, several markets may resolve long.
 */
export class ResolutionClaims {
  /** What applies. */
  mode: ResolutionMode;
  #isContradicted = false;
  #isNeedlessTold = false;
  #isUnsaidTold = false;
  #first: ResolutionMode | null;
  readonly #by: ClaimSource;
  /** One market has nothing to exclude: no claim about it matters. */
  readonly #matters: boolean;

  /**
   * @param configured null: the configuration leaves it to the venue
   * @param markets    how many the configuration names
   */
  constructor(configured: ResolutionMode | null, markets: number) {
    this.#first = configured;
    this.#by = configured === null ? 'venue' : 'configuration';
    this.#matters = markets > 1;
    this.mode = configured ?? 'non_exclusive';
  }

  /** Whether {@link mode} may come to be `exclusive`, now or later. */
  get mayExclude(): boolean {
    return this.#first !== 'non_exclusive';
  }

  /** Whether the venue says that more can be lost than was assumed. Quotes made on that assumption should not stand. */
  get isContradicted(): boolean {
    return this.#isContradicted;
  }

  /** The venue described the event. @param mode null where it does not say, which takes nothing back */
  venueSays(mode: ResolutionMode | null): ResolutionNews | null {
    if (mode === null) return this.#first === null ? this.venueSaysNothing() : null;
    this.#first ??= mode;
    this.mode = this.#first === 'exclusive' ? mode : this.#first;
    if (!this.#matters) return null;
    return this.#first === 'exclusive' ? this.#compared(mode) : this.#needless(mode);
  }

  /** The venue describes no such event. */
  venueSaysNothing(): ResolutionNews | null {
    if (this.#first !== null || this.#isUnsaidTold || !this.#matters) return null;
    this.#isUnsaidTold = true;
    return { kind: 'resolution-unsaid' };
  }

  #compared(mode: ResolutionMode): ResolutionNews | null {
    const isContradicted = mode !== 'exclusive';
    if (isContradicted === this.#isContradicted) return null;
    this.#isContradicted = isContradicted;
    return isContradicted ? { kind: 'resolution-contradicted', by: this.#by } : { kind: 'resolution-agreed' };
  }

  #needless(mode: ResolutionMode): ResolutionNews | null {
    if (mode !== 'exclusive' || this.#isNeedlessTold) return null;
    this.#isNeedlessTold = true;
    return { kind: 'resolution-needless', by: this.#by };
  }
}
