import type { AccountId, EventId } from '../domain/ids.js';
import type { Micros } from '../domain/units.js';

export interface Comment {
  readonly id: number;
  readonly eventId: EventId;
  readonly account: AccountId;
  readonly content: string;
  readonly postedAt: Micros;
}

/** Comments that are posted but not yet published. Ids are 1, 2, 3 and so on. */
export class Comments {
  lastId = 0;
  readonly pending = new Map<number, Comment>();

  post(comment: Omit<Comment, 'id'>): Comment {
    this.lastId += 1;
    const posted = { id: this.lastId, ...comment };
    this.pending.set(posted.id, posted);
    return posted;
  }

  /** Puts saved comments back. */
  load(lastId: number, pending: readonly Comment[]): void {
    this.lastId = lastId;
    for (const comment of pending) this.pending.set(comment.id, comment);
  }

  /** Takes a comment out to publish it. */
  take(id: number): Comment | null {
    const comment = this.pending.get(id) ?? null;
    this.pending.delete(id);
    return comment;
  }
}
