/** Comments and the test event. */
import type { Micros } from '../../domain/units.js';
import { DONE, unknown, withEvent } from '../admin-answers.js';
import type { AdminOutcome, PostComment } from '../contract.js';
import type { Floor } from '../floor.js';

export function executePostComment(floor: Floor, { eventId, account, content }: PostComment): AdminOutcome {
  if (floor.accounts.find(account) === null) return unknown('account');
  return withEvent(floor, eventId, () => {
    const comment = floor.comments.post({ eventId, account, content, postedAt: floor.now });
    const at = (floor.now + floor.config.commentDelayMs * 1_000) as Micros;
    floor.due.schedule({ at, kind: 'comment', id: comment.id });
    return DONE;
  });
}

export function executeTestEvent(floor: Floor): AdminOutcome {
  floor.outbox.say({ kind: 'test-event', at: floor.now });
  return DONE;
}
