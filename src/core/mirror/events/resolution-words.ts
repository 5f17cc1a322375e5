import type { ResolutionMode } from '../../../domain/vocabulary.js';

/** Whose word it is that the venue's newest is not. */
export type WordOf = 'configuration' | 'venue';

/** What a person may want to know of the words about one event. */
export type WordNews =
  /** The venue says that several markets may resolve long, where at most one was to. */
  | { readonly kind: 'resolution-contradicted'; readonly by: WordOf }
  | { readonly kind: 'resolution-agreed' }
  /** The venue says that at most one resolves long, where several were to be able to. */
  | { readonly kind: 'resolution-needless'; readonly by: WordOf }
  /** Neither configuration nor venue says which it is. */
  | { readonly kind: 'resolution-unsaid' };

/**
 * Whether at most one market of an event resolves long, by the words of its configuration and of the venue. Where the
 * configuration says nothing, the venue's first word stands in its place. What is gone by is never better than either says;
 * as long as nobody has said anything, several may.
 */
export class ResolutionWords {
  /** What is gone by. */
  mode: ResolutionMode;
  #contradicted = false;
  #isNeedlessTold = false;
  #isUnsaidTold = false;
  #taken: ResolutionMode | null;
  readonly #by: WordOf;
  /** One market has nothing to exclude: no word about it matters. */
  readonly #matters: boolean;

  /**
   * @param configured null: the configuration leaves it to the venue
   * @param markets    how many the configuration names
   */
  constructor(configured: ResolutionMode | null, markets: number) {
    this.#taken = configured;
    this.#by = configured === null ? 'venue' : 'configuration';
    this.#matters = markets > 1;
    this.mode = configured ?? 'non_exclusive';
  }

  /** Whether {@link mode} may come to be `exclusive`, now or later. */
  get mayExclude(): boolean {
    return this.#taken !== 'non_exclusive';
  }

  /** Whether the venue says that more can be lost than was counted with: what that made, should not stand. */
  get isContradicted(): boolean {
    return this.#contradicted;
  }

  /** The venue described the event. @param word null where it does not say, which takes nothing back */
  hear(word: ResolutionMode | null): WordNews | null {
    if (word === null) return this.#taken === null ? this.unsaid() : null;
    this.#taken ??= word;
    this.mode = this.#taken === 'exclusive' ? word : this.#taken;
    if (!this.#matters) return null;
    return this.#taken === 'exclusive' ? this.#compared(word) : this.#needless(word);
  }

  /** The venue describes no such event. */
  unsaid(): WordNews | null {
    if (this.#taken !== null || this.#isUnsaidTold || !this.#matters) return null;
    this.#isUnsaidTold = true;
    return { kind: 'resolution-unsaid' };
  }

  #compared(word: ResolutionMode): WordNews | null {
    const isContradicted = word !== 'exclusive';
    if (isContradicted === this.#contradicted) return null;
    this.#contradicted = isContradicted;
    return isContradicted ? { kind: 'resolution-contradicted', by: this.#by } : { kind: 'resolution-agreed' };
  }

  #needless(word: ResolutionMode): WordNews | null {
    if (word !== 'exclusive' || this.#isNeedlessTold) return null;
    this.#isNeedlessTold = true;
    return { kind: 'resolution-needless', by: this.#by };
  }
}
