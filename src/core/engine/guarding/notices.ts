import type { NoticeEffect } from '../../../domain/effects.js';
import type { MarketId } from '../../../domain/ids.js';
import type { Micros } from '../../../domain/units.js';

type Notice = Omit<NoticeEffect, 'kind'>;

/** A notice as it was given. */
export interface PastNotice extends Notice {
  readonly at: Micros;
}

/** The same notice about the same market is said again only after this long. */
const REPEAT_AFTER = 10_000_000;
/** So many different texts of one code and market within that time: two instances that stop, two orders nobody can explain. */
const DIFFERENT_TEXTS = 5;
/** The same for what a strategy says. */
const MOST_SPOKEN = 10;
const MOST_CHARACTERS = 1_000;
const KEPT = 20;

/** What a strategy says, unchecked. */
interface Spoken {
  readonly message: unknown;
  readonly details: unknown;
}

function jsonOf(details: unknown): string {
  try {
    return JSON.stringify(details) ?? String(details);
  } catch {
    return '(details that are no JSON)';
  }
}

interface Said {
  readonly text: string;
  readonly at: Micros;
}

/**
 * What a person should know: each thing once, not once per frame. Of what is for information the first text stands for the
 * others; warnings and errors that differ are said, as long as they are few. The next text says how many it stands for.
 */
export class Notices {
  private readonly said = new Map<string, readonly Said[]>();
  /** How many were left out since, by subject. */
  private readonly leftOut = new Map<string, number>();
  private pending: NoticeEffect[] = [];
  private readonly latest: PastNotice[] = [];

  /** Newest first. */
  get recent(): readonly PastNotice[] {
    return this.latest;
  }

  say(said: Notice, at: Micros, most = said.level === 'info' ? 1 : DIFFERENT_TEXTS): void {
    const subject = `${said.code}/${said.marketId ?? ''}`;
    const more = this.leftOut.get(subject) ?? 0;
    if (this.isRepeated(subject, said, at, most)) return void this.leftOut.set(subject, more + 1);
    this.leftOut.delete(subject);
    const notice = more === 0 ? said : { ...said, text: `${said.text} (and ${more} like it before)` };
    this.pending.push({ kind: 'notice', ...notice });
    this.latest.unshift({ at, ...notice });
    if (this.latest.length > KEPT) this.latest.pop();
  }

  info(code: string, text: string, marketId: MarketId | null, at: Micros): void {
    this.say({ level: 'info', code, text, marketId }, at);
  }

  warn(code: string, text: string, marketId: MarketId | null, at: Micros): void {
    this.say({ level: 'warning', code, text, marketId }, at);
  }

  /** A strategy says something; whatever it is, nothing is thrown. */
  spoken(instance: string, { message, details }: Spoken, marketId: MarketId, at: Micros): void {
    const text = `${instance}: ${String(message)}${details === undefined ? '' : ` ${jsonOf(details)}`}`;
    const cut = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
    this.say({ level: 'info', code: 'strategy-log', text: cut, marketId }, at, MOST_SPOKEN);
  }

  error(code: string, text: string, at: Micros): void {
    this.say({ level: 'error', code, text, marketId: null }, at);
  }

  private isRepeated(subject: string, { text }: Notice, at: Micros, most: number): boolean {
    const lately = (this.said.get(subject) ?? []).filter((one) => at - one.at < REPEAT_AFTER);
    if (lately.length >= most || lately.some((one) => one.text === text)) return true;
    this.said.set(subject, [...lately, { text, at }]);
    return false;
  }

  /** What was said since the last call. */
  drain(): readonly NoticeEffect[] {
    const pending = this.pending;
    if (pending.length > 0) this.pending = [];
    return pending;
  }
}
