import type { Random } from '../../../../src/core/ports/random.js';

/** Choices by seed. */
export class Draws {
  constructor(private readonly random: Random) {}

  chance(probability: number): boolean {
    return this.random.uniform() < probability;
  }

  between(least: number, most: number): number {
    return least + this.random.uniform() * (most - least);
  }

  whole(least: number, most: number): number {
    return least + this.random.below(most - least + 1);
  }

  oneOf<Choice>(choices: readonly Choice[]): Choice {
    return choices[this.random.below(choices.length)]!;
  }

  /** One of several, each as likely as its weight says. @param weights not negative, their sum positive */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.random.uniform() * names.reduce((sum, name) => sum + weights[name], 0);
    return names.find((name) => (left -= weights[name]) < 0) ?? names[0]!;
  }
}
