/** Which markets a screen shows, and in which order: a person scrolls, sorts and filters with keys. */
import type { MarketStateView } from '../../core/engine/observing/view.js';
import { isHeldBack, linesOf } from './market-table.js';

interface Sort {
  readonly name: string;
  /** Greater stands higher; null: as in the file. */
  readonly by: ((market: MarketStateView) => number) | null;
}

const SORTS: readonly Sort[] = [
  { name: 'as in the file', by: null },
  { name: 'by what is not quoted in full', by: (market) => Number(isHeldBack(market)) },
  { name: 'by profit', by: ({ profit }) => Math.abs(profit) },
  { name: 'by inventory', by: ({ inventory }) => Math.abs(inventory.long - inventory.short) },
  { name: 'by fills', by: ({ fills }) => fills },
];

/** What a key asks of the process. */
export type KeyWish = 'interrupt' | 'suspend' | null;

const UP = new Set(['\u001B[A', '\u001BOA', 'k']);
const DOWN = new Set(['\u001B[B', '\u001BOB', 'j']);
const PAGE_UP = '\u001B[5~';
const PAGE_DOWN = new Set(['\u001B[6~', ' ']);
const HOME = new Set(['\u001B[H', '\u001BOH', '\u001B[1~', 'g']);
const END = new Set(['\u001B[F', '\u001BOF', '\u001B[4~', 'G']);
const ESCAPE = '\u001B';
const ENTER = new Set(['\r', '\n']);
const ERASE = new Set(['\u007F', '\b']);
const INTERRUPT = '\u0003';
const SUSPEND = '\u001A';
const LONGEST_FILTER = 40;
/** An escape sequence, or one character. */
// oxlint-disable-next-line no-control-regex -- keys are control characters
const KEYS = /\u001B(?:\[[\d;]*[A-Za-z~]|O[A-Z])?|[\s\S]/gu;

export interface MarketPage {
  readonly shown: readonly MarketStateView[];
  /** Markets that the filter lets pass. */
  readonly of: number;
  /** Place of the first shown, from 0. */
  readonly from: number;
}

export class MarketList {
  private offset = 0;
  private sort = 0;
  private filter = '';
  private isTyping = false;
  private page = 1;

  /** Whether nobody has scrolled, sorted or filtered: then what needs a person is shown first. */
  get isUntouched(): boolean {
    return this.offset === 0 && this.sort === 0 && this.filter === '' && !this.isTyping;
  }

  /** How it is sorted and filtered, in words. */
  get told(): string {
    const sorted = `sorted ${SORTS[this.sort]!.name}`;
    if (this.isTyping) return `${sorted}; filter: ${this.filter}_ (Enter keeps it, Esc clears it)`;
    return this.filter === '' ? sorted : `${sorted}; filter: ${this.filter} (Esc clears it)`;
  }

  /** What was typed. */
  press(text: string): KeyWish {
    for (const [key] of text.matchAll(KEYS)) {
      if (key === INTERRUPT) return 'interrupt';
      if (key === SUSPEND) return 'suspend';
      if (this.isTyping) this.type(key);
      else this.move(key);
    }
    return null;
  }

  private type(key: string): void {
    if (ENTER.has(key)) this.isTyping = false;
    else if (key === ESCAPE) this.clear();
    else if (ERASE.has(key)) this.filter = this.filter.slice(0, -1);
    else if (key >= ' ' && key.length === 1 && this.filter.length < LONGEST_FILTER) this.filter += key;
    this.offset = 0;
  }

  private move(key: string): void {
    if (UP.has(key)) this.offset -= 1;
    else if (DOWN.has(key)) this.offset += 1;
    else if (key === PAGE_UP) this.offset -= this.page;
    else if (PAGE_DOWN.has(key)) this.offset += this.page;
    else if (HOME.has(key)) this.offset = 0;
    else if (END.has(key)) this.offset = Infinity;
    else if (key === 's') {
      this.sort = (this.sort + 1) % SORTS.length;
      this.offset = 0;
    } else if (key === '/') this.isTyping = true;
    else if (key === ESCAPE) this.clear();
    this.offset = Math.max(0, this.offset);
  }

  private clear(): void {
    this.filter = '';
    this.isTyping = false;
    this.sort = 0;
    this.offset = 0;
  }

  /** The markets for so many lines, headings of events among them. Never scrolls beyond the last one. */
  take(markets: readonly MarketStateView[], lines: number): MarketPage {
    const wanted = this.filter.toLowerCase();
    const fit = markets.filter((market) => textOf(market).includes(wanted));
    const { by } = SORTS[this.sort]!;
    const sorted = by === null ? fit : fit.toSorted((one, other) => by(other) - by(one));
    let last = sorted.length;
    while (last > 0 && linesOf(sorted.slice(last - 1)) <= lines) last -= 1;
    this.offset = Math.min(this.offset, last);
    let to = this.offset;
    while (to < sorted.length && linesOf(sorted.slice(this.offset, to + 1)) <= lines) to += 1;
    this.page = Math.max(1, to - this.offset);
    return { shown: sorted.slice(this.offset, to), of: sorted.length, from: this.offset };
  }
}

const textOf = ({ marketId, title, eventTitle, instance }: MarketStateView): string =>
  `${marketId} ${title} ${eventTitle} ${instance ?? ''}`.toLowerCase();
