import type { FairValue, PlainJson } from './contract.js';
import type { Glance } from './glance.js';
import type { AnyContext } from './runner.js';

/** The part of a context that the instance itself supplies is left out. */
export type ContextWithoutInstance = Omit<AnyContext, 'params' | 'state'>;

type Shown = { -readonly [K in keyof AnyContext]: AnyContext[K] };

/**
 * The context of one market as a function sees it: filled again for every look, which costs no memory, because a function
 * is done with it when it returns. It knows whether the function would see anything new.
 */
export class Outlook implements Shown {
  market: Shown['market'];
  event: Shown['event'];
  book: Shown['book'];
  inventory: Shown['inventory'];
  working: Shown['working'];
  fair: Shown['fair'];
  params: Shown['params'];
  state: PlainJson;
  declare nowMs: number;
  declare random: Shown['random'];
  readonly #glance: Glance;
  #nowMs: number;
  #random: Shown['random'];

  /** Accessors of each object's own, made of the same functions: whoever copies a context looks at all of it. */
  static readonly #noticed: PropertyDescriptorMap & ThisType<Outlook> = {
    nowMs: {
      enumerable: true,
      get() {
        this.#glance.time = true;
        return this.#nowMs;
      },
    },
    random: {
      enumerable: true,
      get() {
        this.#glance.chance = true;
        return this.#random;
      },
    },
  };

  /** @param glance of whoever fills the book and the event of these contexts */
  constructor(glance: Glance, context: ContextWithoutInstance, params: Shown['params'], state: PlainJson) {
    this.#glance = glance;
    this.market = context.market;
    this.event = context.event;
    this.book = context.book;
    this.inventory = context.inventory;
    this.working = context.working;
    this.fair = context.fair;
    this.params = params;
    this.state = state;
    this.#nowMs = context.nowMs;
    this.#random = context.random;
    Object.defineProperties(this, Outlook.#noticed);
  }

  /** Shows these from now on. @returns whether the function would see what it saw when it was asked last */
  show(context: ContextWithoutInstance, params: Shown['params'], state: PlainJson): boolean {
    const { market, event, book, inventory, working, fair, nowMs, random } = context;
    const isSame =
      !this.#glance.hasMoved &&
      this.#isSameMoment(nowMs) &&
      this.inventory === inventory &&
      this.working === working &&
      this.state === state &&
      this.params === params &&
      this.market === market &&
      isSameFair(this.fair, fair);
    // Field by field: on the hot path a spread costs as much as the rest of a call.
    this.market = market;
    this.event = event;
    this.book = book;
    this.inventory = inventory;
    this.working = working;
    this.fair = fair;
    this.params = params;
    this.state = state;
    this.#nowMs = nowMs;
    this.#random = random;
    return isSame;
  }

  #isSameMoment(nowMs: number): boolean {
    const { time, chance } = this.#glance;
    return !chance && (!time || this.#nowMs === nowMs);
  }
}

export function isSameFair(before: FairValue | null, now: FairValue | null): boolean {
  if (before === null || now === null) return before === now;
  return before.p === now.p && before.ageMs === now.ageMs && before.confidence === now.confidence;
}
