/** Judges what a bot says by the rules of its file: what is told, when it is told again, and when it is over. */
import type { EngineView } from '../../core/engine/observing/view.js';
import type { EndEffect } from '../../domain/effects.js';
import type { Fill } from '../../domain/fill.js';
import { plainText } from '../../domain/plain-text.js';
import { currencyUnits, type Micros, type Money, wholeShares } from '../../domain/units.js';
import type { AlertRules as RuleSettings, RuleName } from '../../settings/index.js';
import type { Finding, Severity } from './alert.js';
import { type Condition, type Facts, STANDING_RULES, type StandingRule } from './conditions.js';

/** One message names so many at most. */
const NAMED = 5;
const MINUTE_US = 60_000_000;
const DAY_MINUTES = 1_440;

const listed = (texts: readonly string[], count = texts.length): string => {
  const named = texts.slice(0, NAMED).map(plainText).join('\n');
  return count > NAMED ? `${named}\nand ${count - NAMED} more` : named;
};

interface Cooling {
  readonly cooldownMs: number;
  readonly forMs?: number;
}

/** The rule of one name: what stands, what was told of it, and when. */
class Standing {
  readonly #since = new Map<string, Micros>();
  readonly #told = new Set<string>();
  #toldAt = -Infinity;
  /** Its end was not told yet. */
  #isFiring = false;

  constructor(
    private readonly name: RuleName,
    private readonly rule: StandingRule,
    private readonly settings: Cooling,
  ) {}

  review(conditions: readonly Condition[], at: Micros): readonly Finding[] {
    const { forMs = 0, cooldownMs } = this.settings;
    const standing = new Set(conditions.map(({ subject }) => subject));
    for (const subject of this.#since.keys()) if (!standing.has(subject)) this.#since.delete(subject);
    for (const subject of standing) if (!this.#since.has(subject)) this.#since.set(subject, at);
    const due = conditions.filter(
      ({ subject }) => !this.#told.has(subject) && at - (this.#since.get(subject) ?? at) >= forMs * 1_000,
    );
    if (due.length > 0 && at - this.#toldAt >= cooldownMs * 1_000) {
      this.#toldAt = at;
      this.#isFiring = true;
      for (const { subject } of due) this.#told.add(subject);
      return [this.#finding('firing', listed(due.map(({ text }) => text)))];
    }
    // What is over is told again if it comes back, while others of its rule stand, too.
    for (const subject of this.#told) if (!standing.has(subject)) this.#told.delete(subject);
    if (!this.#isFiring || this.#told.size > 0 || due.length > 0) return [];
    this.#isFiring = false;
    return [this.#finding('resolved', '')];
  }

  #finding(state: Finding['state'], text: string): Finding {
    const { severity, title } = this.rule;
    return { rule: this.name, state, severity, title, text };
  }
}

/** Things that happen and are not over later. What comes within the cool-down is told together when it ends. */
class Happenings {
  #texts: string[] = [];
  #count = 0;
  #toldAt = -Infinity;

  constructor(
    private readonly rule: RuleName,
    private readonly severity: Severity,
    private readonly title: string,
    private readonly cooldownMs: number,
  ) {}

  happened(text: string): void {
    this.#count += 1;
    if (this.#texts.length < NAMED) this.#texts.push(text);
  }

  review(at: Micros): readonly Finding[] {
    if (this.#count === 0 || at - this.#toldAt < this.cooldownMs * 1_000) return [];
    const text = listed(this.#texts, this.#count);
    this.#texts = [];
    this.#count = 0;
    this.#toldAt = at;
    const { rule, severity, title } = this;
    return [{ rule, state: 'firing', severity, title, text }];
  }
}

/** Of these the venue's view counts, and a difference is money. Books have a rule of their own. */
const DIFFERENCES = ['order', 'holding', 'cash'] as const;

export class AlertRules {
  readonly #standing: readonly (readonly [StandingRule, Standing])[];
  readonly #fills: Happenings | null;
  readonly #differences: Happenings | null;
  readonly #differed = new Map<string, number>();
  #bestProfit = 0 as Money;
  #summaryDay: number | null = null;

  constructor(private readonly settings: RuleSettings) {
    this.#standing = Object.entries(STANDING_RULES).flatMap(([name, rule]) => {
      const of = settings[name as keyof typeof STANDING_RULES];
      return of === null ? [] : [[rule, new Standing(name as RuleName, rule, of)] as const];
    });
    const { fill, difference } = settings;
    this.#fills = fill && new Happenings('fill', 'info', 'a large fill', fill.cooldownMs);
    this.#differences =
      difference &&
      new Happenings('difference', 'warning', 'the venue says otherwise', difference.cooldownMs);
  }

  /** An own order traded. */
  filled({ marketId, side, position, shares, amount, currency }: Fill): void {
    const { fill } = this.settings;
    if (fill === null || amount <= fill.above) return;
    const done = side === 'bid' ? 'bought' : 'sold';
    const text = `${done} ${wholeShares(shares)} ${position} of market ${marketId} for ${currencyUnits(amount).toFixed(2)} ${currency}`;
    this.#fills?.happened(text);
  }

  /** @returns what is to be told now */
  review(now: Omit<Facts, 'bestProfit'>, at: Micros): readonly Finding[] {
    const { view } = now;
    this.#bestProfit = Math.max(this.#bestProfit, view.profit) as Money;
    const facts = { ...now, bestProfit: this.#bestProfit };
    this.#compare(view);
    return [
      ...this.#standing.flatMap(([rule, standing]) =>
        standing.review(rule.conditions(facts, this.settings), at),
      ),
      ...(this.#fills?.review(at) ?? []),
      ...(this.#differences?.review(at) ?? []),
      ...this.#summary(view, at),
    ];
  }

  /** @returns what is to be told of the end of the run */
  ended({ outcome, text }: EndEffect): readonly Finding[] {
    if (!this.settings.end || outcome === 'clean') return [];
    const title = `the run ended: ${outcome}`;
    return [{ rule: 'end', state: 'firing', severity: 'critical', title, text }];
  }

  #compare({ counts: { differences } }: EngineView): void {
    for (const of of DIFFERENCES) {
      const count = differences[of] ?? 0;
      const more = count - (this.#differed.get(of) ?? 0);
      if (more > 0)
        this.#differences?.happened(`${of}: ${more} ${more === 1 ? 'difference' : 'differences'}`);
      this.#differed.set(of, count);
    }
  }

  /** The first one comes at the stated time after the start. */
  #summary(view: EngineView, at: Micros): readonly Finding[] {
    const { summary } = this.settings;
    if (summary === null) return [];
    const [hours = 0, minutes = 0] = summary.at.split(':').map(Number);
    const day = Math.floor((at / MINUTE_US - hours * 60 - minutes) / DAY_MINUTES);
    const isDue = this.#summaryDay !== null && day > this.#summaryDay;
    this.#summaryDay = day;
    if (!isDue) return [];
    const text = summaryText(view);
    return [{ rule: 'summary', state: 'firing', severity: 'info', title: 'summary of the run', text }];
  }
}

function summaryText({ currency, profit, balance, counts, markets, instances }: EngineView): string {
  const quoted = markets.filter(({ instance }) => instance !== null);
  const held = markets.filter(({ inventory: { long, short } }) => long !== short);
  const total = balance.total === null ? 'unknown' : currencyUnits(balance.total).toFixed(2);
  return [
    `profit of the run ${currencyUnits(profit).toFixed(2)} ${currency}, balance ${total}`,
    `${counts.fills} fills of ${wholeShares(counts.sharesFilled)} shares`,
    `${quoted.filter(({ halted }) => halted === null).length} of ${quoted.length} markets quoted, shares held in ${held.length}`,
    `${instances.filter(({ fault }) => fault !== null).length} strategies stopped`,
  ].join('\n');
}
