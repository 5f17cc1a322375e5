import type { NoticeEffect } from '../../domain/effects.js';
import type { MarketId } from '../../domain/ids.js';
import type { Micros } from '../../domain/units.js';

type Notice = Omit<NoticeEffect, 'kind'>;

/** A notice as it was given. */
export interface PastNotice extends Notice {
  readonly at: Micros;
}

/** The same notice about the same market is said again only after this long. */
const REPEAT_AFTER = 10_000_000;
const KEPT = 20;

/** What a person should know: each thing once, not once per frame. */
export class Notices {
  private readonly saidAt = new Map<string, Micros>();
  private pending: NoticeEffect[] = [];
  private readonly latest: PastNotice[] = [];

  /** Newest first. */
  get recent(): readonly PastNotice[] {
    return this.latest;
  }

  /** Whether nothing was said since the last {@link drain}. */
  get areDrained(): boolean {
    return this.pending.length === 0;
  }

  say(notice: Notice, at: Micros): void {
    const subject = `${notice.code}/${notice.marketId ?? ''}`;
    const before = this.saidAt.get(subject);
    if (before !== undefined && at - before < REPEAT_AFTER) return;
    this.saidAt.set(subject, at);
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

  error(code: string, text: string, at: Micros): void {
    this.say({ level: 'error', code, text, marketId: null }, at);
  }

  /** What was said since the last call. */
  drain(): readonly NoticeEffect[] {
    const pending = this.pending;
    if (pending.length > 0) this.pending = [];
    return pending;
  }
}
