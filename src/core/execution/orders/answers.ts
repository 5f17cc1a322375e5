import type { AnswerBody, ItemOutcome, RequestFailure, RefusalMeaning } from '../../../domain/answers.js';
import type { OrderId } from '../../../domain/ids.js';
import type { OrderReport } from '../../../domain/orders.js';
import type { TradingRequest } from '../../../domain/effects.js';
import type { Claims } from './claims.js';
import { provesNoEffect, isUnsettled, type OpenRequest } from './requests.js';
import type { OrderWriter } from './order-writer.js';
import { endedUnreplaced } from './own-order.js';
import type { TrackedOrder } from './tracked-order.js';

type Kind = TradingRequest['kind'];
type Body<K extends Kind> = Extract<AnswerBody, { readonly kind: K }>;
/** What the venue says of something that it does not do. */
interface Refusal {
  readonly code: string;
  readonly means: RefusalMeaning;
  readonly detail?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}
type KnownFailure = Exclude<RequestFailure, { readonly kind: 'unknown' }>;

/** Applies the answer to a trading request to its orders. */
export class Answers {
  readonly #writer: OrderWriter;
  readonly #claims: Claims;

  constructor(writer: OrderWriter, claims: Claims) {
    this.#writer = writer;
    this.#claims = claims;
  }

  /** Applies an answer. An answer that does not fit its request counts as lost. */
  fulfilled(open: OpenRequest, body: AnswerBody): void {
    if (!fits(open, body)) this.lost(open);
    else if (body.kind === 'create-orders') this.#created(open, body);
    else if (body.kind === 'replace-orders') this.#updated(open, body);
    else if (body.kind === 'cancel-orders') this.#cancelled(open, body);
    else if (body.kind === 'cancel-scope') this.#scopeCancelled(open, body);
  }

  /** There is no usable answer. */
  failed(open: OpenRequest, failure: RequestFailure): void {
    if (failure.kind === 'unknown') this.lost(open);
    else if (provesNoEffect(open.request.kind, failure, open.replays > 0)) this.#hadNoEffect(open, failure);
    else this.#turnedDown(open, failure);
  }

  /** Nobody can say what became of the request. */
  lost(open: OpenRequest): void {
    for (const order of open.replaced) this.#writer.apply(order, 'lost', null);
    for (const order of open.orders) if (order !== null) this.#writer.apply(order, 'lost', null);
    open.replaced.forEach((old, index) => {
      const successor = open.orders[index] ?? null;
      if (successor !== null && endedUnreplaced(old)) this.#writer.disprove(successor);
    });
  }

  #created(open: OpenRequest, body: Body<'create-orders'>): void {
    body.items.forEach((item, index) => this.#settleItem(open, index, item));
    for (const id of body.canceledIds) this.#cancelledById(id);
  }

  #settleItem(open: OpenRequest, index: number, item: ItemOutcome<OrderReport>): void {
    const asked = open.orders[index];
    if (asked === undefined || asked === null) return;
    if (item.ok) open.orders[index] = this.#accept(asked, item.value);
    else this.#reject(asked, item);
    // The order now stands for another lost create that had taken this id: it is settled with this request.
    if (item.ok && open.orders[index] !== asked && isUnsettled(asked)) open.orders.push(asked);
  }

  #accept(asked: TrackedOrder, report: OrderReport): TrackedOrder {
    const order = this.#claims.named(asked, report);
    this.#writer.apply(order, 'accepted', null);
    this.#writer.merge(order, report, 'answer');
    this.#claims.takeEarly(order);
    this.#writer.awaitFrame(order);
    return order;
  }

  #reject(order: TrackedOrder, { code, means, detail, fields }: Refusal): void {
    this.#writer.tell({ kind: 'refused', order, code, means, detail, fields });
    this.#writer.apply(order, 'rejected', 'rejected');
  }

  #withhold(order: TrackedOrder, reason: string): void {
    this.#writer.tell({ kind: 'not-sent', order, reason });
    this.#writer.apply(order, 'rejected', 'rejected');
  }

  /** Ends the old orders first, so that no moment shows both or neither as working. */
  #updated(open: OpenRequest, body: Body<'replace-orders'>): void {
    body.items.forEach((item, index) => {
      const old = open.replaced[index];
      if (old !== undefined && item.ok) this.#writer.apply(old, 'replaced', 'replaced');
      else if (old !== undefined) this.#writer.apply(old, 'update-failed', null);
      this.#settleItem(open, index, item);
      const successor = open.orders[index] ?? null;
      if (old?.ending === 'replaced' && successor !== null) successor.standInFor(old);
    });
  }

  #cancelled(open: OpenRequest, body: Body<'cancel-orders'>): void {
    body.items.forEach((item, index) => {
      const order = open.orders[index];
      if (order === undefined || order === null) return;
      if (item.ok) this.#cancelConfirmed(order);
      else this.#cancelFailed(order);
    });
  }

  #scopeCancelled(open: OpenRequest, body: Body<'cancel-scope'>): void {
    for (const id of body.canceledIds) this.#cancelledById(id);
    for (const order of open.orders) if (order?.state === 'cancelling') this.#cancelFailed(order);
  }

  #cancelledById(id: OrderId): void {
    const order = this.#writer.blotter.byId(id);
    if (order !== undefined) this.#cancelConfirmed(order);
  }

  /**
   * A cancel succeeded. An update takes open orders only, so an update of this order under way can
   * have no effect.
   */
  #cancelConfirmed(order: TrackedOrder): void {
    const { successor } = order;
    this.#writer.apply(order, 'finished', 'canceled');
    if (successor !== null) this.#writer.disprove(successor);
  }

  #cancelFailed(order: TrackedOrder): void {
    order.failedCancels += 1;
    this.#writer.apply(order, 'cancel-failed', null);
  }

  /** This copy of the request had no effect. Another copy may have had one, or may still have one. */
  #turnedDown(open: OpenRequest, failure: KnownFailure): void {
    if (failure.kind === 'refused') {
      const { code, means, detail } = failure;
      for (const order of open.orders)
        if (order !== null) this.#writer.tell({ kind: 'refused', order, code, means, detail });
    }
    this.lost(open);
  }

  #hadNoEffect(open: OpenRequest, failure: KnownFailure): void {
    for (const old of open.replaced) this.#writer.apply(old, 'update-refused', null);
    const event = open.request.kind.startsWith('cancel') ? 'cancel-refused' : 'rejected';
    for (const order of open.orders) {
      if (order === null) continue;
      if (event !== 'rejected') this.#writer.apply(order, event, null);
      else if (failure.kind === 'refused') this.#reject(order, failure);
      else this.#withhold(order, failure.reason);
    }
  }
}

const fits = (open: OpenRequest, body: AnswerBody): boolean =>
  body.kind === open.request.kind && (!('items' in body) || body.items.length === open.orders.length);
