/** Why the core refused, in the words of the wire (specification 7.2, 7.3). */
import type {
  CancelRefusal,
  CommandRefusal,
  OrderRefusal,
  UpdateRefusal,
} from '../../../exchange/contract.js';
import { ITEM_SENTENCES, type ItemErrors } from '../../../venues/futuur/protocol/errors.js';
import { type Answer, refused, refusedFields } from '../answer.js';

/** A whole request. */
export const refusedCommand = (refusal: CommandRefusal): Answer =>
  refusal.code === 'ValidationError' ? refusedFields(refusal.fields) : refused(refusal.code);

/** `errors` of one item: a code, or what is wrong by field. */
export const itemErrors = (refusal: OrderRefusal): ItemErrors =>
  refusal.code === 'ValidationError' ? refusal.fields : refusal.code;

/** `errors` of one update: as {@link itemErrors}, or a sentence about the order to be replaced. */
export const updateErrors = (refusal: UpdateRefusal): ItemErrors =>
  isAboutOldOrder(refusal) ? ITEM_SENTENCES[refusal.code] : itemErrors(refusal);

/** `error` of one cancel. */
export const cancelError = (refusal: CancelRefusal): string => ITEM_SENTENCES[refusal];

const isAboutOldOrder = (refusal: UpdateRefusal): refusal is Exclude<UpdateRefusal, OrderRefusal> =>
  Object.hasOwn(ITEM_SENTENCES, refusal.code);
