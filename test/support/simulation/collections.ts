/** Counts what Maps and Sets hold, by the place in the program that made them: what grows with time grows here. */

interface Made {
  readonly place: string;
  readonly made: WeakRef<{ readonly size: number }>;
}

/** Watches every Map and Set that is made until {@link end}. */
export class Collections {
  private readonly all: Made[] = [];
  private readonly plain = { Map: globalThis.Map, Set: globalThis.Set };

  constructor() {
    const note = (made: { readonly size: number }): void => {
      const place = placeIn(new Error().stack ?? '');
      if (place !== null) this.all.push({ place, made: new WeakRef(made) });
    };
    globalThis.Map = class<Key, Value> extends this.plain.Map<Key, Value> {
      constructor(entries?: Iterable<readonly [Key, Value]> | null) {
        super(entries);
        note(this);
      }
    };
    globalThis.Set = class<Value> extends this.plain.Set<Value> {
      constructor(values?: Iterable<Value> | null) {
        super(values);
        note(this);
      }
    };
  }

  /** What is made from now on is not counted. */
  end(): void {
    Object.assign(globalThis, this.plain);
  }

  /** Entries by place, of what still lives. */
  sizes(): ReadonlyMap<string, number> {
    const sizes = new this.plain.Map<string, number>();
    for (const { place, made } of this.all)
      sizes.set(place, (sizes.get(place) ?? 0) + (made.deref()?.size ?? 0));
    return sizes;
  }
}

/** The first line below `src` that is not of the exchange: `core/mirror/agenda.js:11`. */
function placeIn(stack: string): string | null {
  const found = /\/src\/([\w/.-]+:\d+):\d+/.exec(stack)?.[1] ?? null;
  return found === null || found.startsWith('exchange') ? null : found;
}
