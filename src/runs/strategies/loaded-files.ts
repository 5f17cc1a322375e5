import { fileHash, strategyHash } from './hash.js';
import { moduleGraph } from './module-graph.js';

/** Of each file, its hash when this process first asked for it; null: it changed meanwhile, so nobody knows which was read. */
export class LoadedFiles {
  readonly #files = new Map<string, string | null>();
  readonly #strategies = new Map<string, string | null>();

  /** Of a strategy that was loaded: {@link strategyHash} of what was; null of any other. */
  hashOf(strategy: string): string | null {
    return this.#strategies.get(strategy) ?? null;
  }

  /**
   * A process reads a module once, whichever strategy imports it first.
   * @param load reads the strategy, with all that it imports
   * @param refusal made of the file that is not any more what was read
   * @throws what `refusal` makes; whatever `load` throws
   */
  async watch<Loaded>(
    strategy: string,
    load: () => Promise<Loaded>,
    refusal: (file: string) => Error,
  ): Promise<Loaded> {
    const before = hashesOf(strategy);
    const whole = wholeHash(strategy);
    for (const [file, hash] of before) {
      const read = this.#files.get(file);
      if (read !== undefined && read !== hash) throw refusal(file);
      this.#files.set(file, hash);
    }
    const known = this.#strategies.get(strategy);
    if (known !== undefined && known !== whole) throw refusal(strategy);
    const loaded = await load();
    this.#requireAsBefore(strategy, before, refusal);
    this.#strategies.set(strategy, whole);
    return loaded;
  }

  #requireAsBefore(
    strategy: string,
    before: ReadonlyMap<string, string>,
    refusal: (file: string) => Error,
  ): void {
    const now = hashesOf(strategy);
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (file) => before.get(file) !== now.get(file),
    );
    for (const file of changed) this.#files.set(file, null);
    if (changed.length > 0) throw refusal(changed[0]!);
  }
}

/** What is wrong with a file says whoever loads it. */
function hashesOf(strategy: string): ReadonlyMap<string, string> {
  try {
    return new Map(moduleGraph(strategy).files.map((file) => [file, fileHash(file)]));
  } catch {
    return new Map();
  }
}

function wholeHash(strategy: string): string | null {
  try {
    return strategyHash(strategy);
  } catch {
    return null;
  }
}
