import type { EndEffect } from '../../domain/effects.js';
import type { OrderId } from '../../domain/ids.js';
import type { AnswerBody } from '../../domain/answers.js';
import type { OrderReport } from '../../domain/orders.js';
import type { OrderStatus } from '../../domain/vocabulary.js';
import { termsOf, withoutFound } from '../../core/execution/orders/order-terms.js';
import { provesNoEffect, ordersOf } from '../../core/execution/orders/requests.js';
import type { ClaimedOrder, JournalRecord, OrderClaims, SentOrders } from '../../core/ports/journal.js';

type RunRecord = Extract<JournalRecord, { kind: 'run' }>;
type RequestRecord = Extract<JournalRecord, { kind: 'request' }>;
type AnswerRecord = Extract<JournalRecord, { kind: 'answer' }>;
type WorkRecord = Exclude<JournalRecord, { kind: 'run' | 'end' | 'sent' | 'action' }>;

const CLEAN: EndEffect['outcome'] = 'clean';
const OVER: readonly OrderStatus[] = ['filled', 'canceled', 'expired'];

/** Bounds of the journal; beyond them the oldest are dropped. */
export interface OpenWorkBounds {
  readonly runs: number;
  /** Per run, as are the orders. */
  readonly requests: number;
  readonly orders: number;
}

/** What a journal keeps of runs that did not end clean. */
export const OPEN_WORK_BOUNDS: OpenWorkBounds = { runs: 16, requests: 512, orders: 50_000 };

/** A request, and the latest answer that left its effect open: a refusal of a second copy says nothing of the first. */
interface OpenRequest {
  readonly record: RequestRecord;
  doubt: AnswerRecord | null;
  /** Orders that were found to belong to it since. */
  found: readonly ClaimedOrder[];
}

/** What one run left open. */
interface RunWork {
  readonly run: RunRecord;
  readonly requests: Map<number, OpenRequest>;
  readonly orders: Set<OrderId>;
}

/**
 * What the next start needs of the records so far: of every run since the last clean end, the requests whose effect is
 * unknown and the ids of orders that may still rest.
 */
export class OpenWork {
  readonly #bounds: OpenWorkBounds;
  #runs: RunWork[] = [];
  /** Orders of the account that belong, or may belong, to somebody else. */
  readonly #foreign = new Set<OrderId>();
  readonly #ambiguous = new Set<OrderId>();

  constructor(bounds: OpenWorkBounds) {
    this.#bounds = bounds;
  }

  /** Takes the records in the order in which they were written. What precedes the first run is not kept. */
  note(record: JournalRecord): void {
    if (record.kind === 'run') this.#noteRun(record);
    else if (record.kind === 'end') this.#noteEnd(record.outcome);
    else if (record.kind !== 'sent' && record.kind !== 'action') this.#noteWork(record);
  }

  /** The same knowledge in as few records as possible; noting them again gives the same. */
  records(): JournalRecord[] {
    const isOpen = (id: OrderId): boolean => this.#runs.some(({ orders }) => orders.has(id));
    const runs = this.#runs.flatMap(({ run, requests, orders }) => [
      run,
      ...(orders.size > 0 ? [{ kind: 'own-orders', orderIds: [...orders] } as const] : []),
      ...[...requests.values()].flatMap((open) => recordsOf(open, isOpen)),
    ]);
    return runs.length === 0 ? [] : [...runs, ...this.#others()];
  }

  #others(): JournalRecord[] {
    const [foreign, ambiguous] = [[...this.#foreign], [...this.#ambiguous]];
    const isNone = foreign.length + ambiguous.length === 0;
    return isNone ? [] : [{ kind: 'claims', ours: [], foreign, ambiguous, ended: [] }];
  }

  #noteEnd(outcome: string): void {
    if (outcome !== CLEAN) return;
    this.#runs = [];
    this.#foreign.clear();
    this.#ambiguous.clear();
  }

  /**
   * A run that left nothing open is forgotten once another begins. A run that is noted twice, because a start was killed
   * while it took over another journal, is the same run.
   */
  #noteRun(run: RunRecord): void {
    const told = this.#runs.find((work) => work.run.runId === run.runId);
    const open = this.#runs.filter(
      (work) => work !== told && (work.requests.size > 0 || work.orders.size > 0),
    );
    const begun: RunWork = told ?? { run, requests: new Map(), orders: new Set() };
    this.#runs = [...open, begun].slice(-this.#bounds.runs);
  }

  #noteWork(record: WorkRecord): void {
    const work = this.#runs.at(-1);
    if (work === undefined) return;
    if (record.kind === 'request') noteRequest(work, record);
    else if (record.kind === 'own-orders') this.#own(work, record.orderIds);
    else if (record.kind === 'claims') this.#noteClaims(work, record);
    else this.#settle(work, record);
    dropOldest(work.requests, this.#bounds.requests);
    dropOldest(work.orders, this.#bounds.orders);
  }

  #settle(work: RunWork, answer: AnswerRecord): void {
    const { requestId, outcome } = answer;
    const open = work.requests.get(requestId);
    if (open !== undefined && leavesOpen(open, answer)) open.doubt = answer;
    else work.requests.delete(requestId);
    if (!outcome.ok) return;
    this.#own(work, restingIn(outcome.body));
    for (const run of this.#runs) dropGone(run.orders, outcome.body, open?.record);
  }

  /** An answer of ours outweighs earlier claims. */
  #own(work: RunWork, orderIds: readonly OrderId[]): void {
    for (const id of orderIds) {
      work.orders.add(id);
      this.#foreign.delete(id);
      this.#ambiguous.delete(id);
    }
  }

  #noteClaims(work: RunWork, { ours, foreign, ambiguous, ended }: OrderClaims): void {
    for (const order of ours) this.#find(work, order);
    for (const id of foreign) this.#foreign.add(id);
    for (const id of ambiguous) this.#ambiguous.add(id);
    for (const id of [...ambiguous, ...ended]) for (const { orders } of this.#runs) orders.delete(id);
    for (const id of ended) for (const others of [this.#foreign, this.#ambiguous]) others.delete(id);
    dropOldest(this.#foreign, this.#bounds.orders);
    dropOldest(this.#ambiguous, this.#bounds.orders);
  }

  /** The oldest request with these terms takes the order: any other would be as good. */
  #find(last: RunWork, order: ClaimedOrder): void {
    const of = this.#runs.find((work) => takeFound(work.requests, order)) ?? last;
    if (order.orderId !== null) this.#own(of, [order.orderId]);
  }
}

/** @returns whether one of these requests asked for such an order that nobody had found yet */
function takeFound(requests: Map<number, OpenRequest>, order: ClaimedOrder): boolean {
  const terms = termsOf(order);
  for (const [requestId, open] of requests) {
    const left = withoutFound(ordersOf(open.record.request), open.found);
    if (!left.some((lost) => termsOf(lost) === terms)) continue;
    if (left.length === 1) requests.delete(requestId);
    else open.found = [...open.found, order];
    return true;
  }
  return false;
}

/** Only creates and updates stay open: a cancel may be repeated freely. */
function noteRequest(work: RunWork, record: RequestRecord): void {
  const { kind } = record.request;
  if (kind !== 'create-orders' && kind !== 'replace-orders') return;
  const { doubt = null, found = [] } = work.requests.get(record.requestId) ?? {};
  work.requests.set(record.requestId, { record, doubt, found });
}

const leavesOpen = ({ record, doubt }: OpenRequest, { outcome }: AnswerRecord): boolean =>
  !outcome.ok && !provesNoEffect(record.request.kind, outcome.failure, doubt !== null);

/** What was found of a request stands right behind it, so that it is assigned to the same request again. */
function recordsOf(
  { record, doubt, found }: OpenRequest,
  isOpen: (id: OrderId) => boolean,
): readonly JournalRecord[] {
  const ours = found.map((order) =>
    order.orderId === null || isOpen(order.orderId) ? order : { ...order, orderId: null },
  );
  return [
    record,
    ...(doubt === null ? [] : [doubt]),
    ...(ours.length === 0 ? [] : [{ kind: 'claims', ours, foreign: [], ambiguous: [], ended: [] } as const]),
  ];
}

function restingIn(body: AnswerBody): readonly OrderId[] {
  if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return [];
  return body.items.flatMap((item) => (item.ok && mayRest(item.value) ? [item.value.orderId] : []));
}

const mayRest = (order: OrderReport): boolean => !OVER.includes(order.status);

function dropGone(orders: Set<OrderId>, body: AnswerBody, record: RequestRecord | undefined): void {
  if (body.kind === 'create-orders' || body.kind === 'cancel-scope')
    for (const id of body.canceledIds) orders.delete(id);
  else if (body.kind === 'cancel-orders') {
    for (const item of body.items) if (item.ok) orders.delete(item.value);
  } else if (body.kind === 'replace-orders' && record?.request.kind === 'replace-orders')
    record.request.replacements.forEach((old, index) => {
      if (body.items[index]?.ok === true) orders.delete(old.orderId);
    });
}

function dropOldest<Key>(kept: Map<Key, unknown> | Set<Key>, most: number): void {
  if (kept.size <= most) return;
  for (const key of kept.keys()) {
    kept.delete(key);
    if (kept.size <= most) return;
  }
}

/** What all these records together leave open. */
export function openWorkOf(records: readonly JournalRecord[]): readonly JournalRecord[] {
  const work = new OpenWork(OPEN_WORK_BOUNDS);
  records.forEach((record) => work.note(record));
  return work.records();
}

const MINUTE = 60_000_000;

/** Creates and updates that a journal tells of within the last minute of its records. */
export class LastSentOrders {
  #sent: SentOrders[] = [];

  /** Takes the records in the order in which they were written. */
  note(record: JournalRecord): void {
    if (record.kind === 'sent') this.#sent = [...record.sent];
    if (record.kind !== 'request') return;
    const { request, at } = record;
    if (request.kind === 'create-orders') this.#add({ at, orders: request.orders.length });
    if (request.kind === 'replace-orders') this.#add({ at, orders: request.replacements.length });
  }

  /** The oldest first. */
  get sent(): readonly SentOrders[] {
    return [...this.#sent];
  }

  /** The same knowledge as a record, which counts for all before it; none when there is nothing. */
  records(): readonly JournalRecord[] {
    const { sent } = this;
    return sent.length === 0 ? [] : [{ kind: 'sent', sent }];
  }

  #add(one: SentOrders): void {
    if (one.orders === 0) return;
    // When the clock was set back, what was written before cannot have been sent later.
    if ((this.#sent.at(-1)?.at ?? 0) > one.at)
      this.#sent = this.#sent.map((sent) => (sent.at > one.at ? { ...sent, at: one.at } : sent));
    this.#sent.push(one);
    while (this.#sent[0]!.at <= one.at - MINUTE) this.#sent.shift();
  }
}
