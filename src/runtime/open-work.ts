import type { EndEffect } from '../domain/effects.js';
import type { OrderId } from '../domain/ids.js';
import type { AnswerBody } from '../domain/answers.js';
import type { OrderReport } from '../domain/orders.js';
import type { OrderStatus } from '../domain/vocabulary.js';
import { provesNoEffect } from '../execution/orders/no-effect.js';
import type { JournalRecord } from '../ports/journal.js';

type RunRecord = Extract<JournalRecord, { kind: 'run' }>;
type RequestRecord = Extract<JournalRecord, { kind: 'request' }>;
type AnswerRecord = Extract<JournalRecord, { kind: 'answer' }>;

const CLEAN: EndEffect['outcome'] = 'clean';
const OVER: readonly OrderStatus[] = ['filled', 'canceled', 'expired'];

/** Oldest out first beyond these, so that a journal stays bounded whatever the venue does. */
export interface OpenWorkBounds {
  readonly runs: number;
  /** Per run, as are the orders. */
  readonly requests: number;
  readonly orders: number;
}

/** What a journal keeps of runs that ended in disorder. */
export const OPEN_WORK_BOUNDS: OpenWorkBounds = { runs: 16, requests: 512, orders: 50_000 };

/** A request and the latest answer that did not tell its effect: what says no to a second copy says nothing of the first. */
interface OpenRequest {
  readonly record: RequestRecord;
  doubt: AnswerRecord | null;
}

/** What one run left open. */
interface RunWork {
  readonly run: RunRecord;
  readonly requests: Map<number, OpenRequest>;
  readonly orders: Set<OrderId>;
}

/**
 * What the next start would still need of the records so far: of every run since the last one that ended clean,
 * the requests whose effect is not known and the ids of orders that may still rest.
 */
export class OpenWork {
  readonly #bounds: OpenWorkBounds;
  #runs: RunWork[] = [];

  constructor(bounds: OpenWorkBounds) {
    this.#bounds = bounds;
  }

  /** Takes the records in the order in which they were written. What precedes the first run is not kept. */
  note(record: JournalRecord): void {
    if (record.kind === 'run') this.#noteRun(record);
    else if (record.kind === 'end') this.#runs = record.outcome === CLEAN ? [] : this.#runs;
    else if (record.kind !== 'sent') this.#noteWork(record);
  }

  /** The same knowledge in as few records as possible; noting them again gives the same. */
  records(): JournalRecord[] {
    return this.#runs.flatMap(({ run, requests, orders }) => [
      run,
      ...(orders.size > 0 ? [{ kind: 'own-orders', orderIds: [...orders] } as const] : []),
      ...[...requests.values()].flatMap(recordsOf),
    ]);
  }

  /**
   * A run that left nothing open needs no memory once another begins. One that is told again, by a start that was killed
   * while it moved what another journal had open, is the same run.
   */
  #noteRun(run: RunRecord): void {
    const told = this.#runs.find((work) => work.run.runId === run.runId);
    const open = this.#runs.filter(
      (work) => work !== told && (work.requests.size > 0 || work.orders.size > 0),
    );
    const begun: RunWork = told ?? { run, requests: new Map(), orders: new Set() };
    this.#runs = [...open, begun].slice(-this.#bounds.runs);
  }

  #noteWork(record: RequestRecord | AnswerRecord | Extract<JournalRecord, { kind: 'own-orders' }>): void {
    const work = this.#runs.at(-1);
    if (work === undefined) return;
    if (record.kind === 'request') noteRequest(work, record);
    else if (record.kind === 'own-orders') record.orderIds.forEach((id) => work.orders.add(id));
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
    noteResting(work.orders, outcome.body);
    for (const run of this.#runs) dropGone(run.orders, outcome.body, open?.record);
  }
}

/** A cancel whose effect is not known leaves nothing behind: it may be repeated freely. */
function noteRequest(work: RunWork, record: RequestRecord): void {
  const { kind } = record.request;
  if (kind !== 'create-orders' && kind !== 'replace-orders') return;
  const doubt = work.requests.get(record.requestId)?.doubt ?? null;
  work.requests.set(record.requestId, { record, doubt });
}

const leavesOpen = ({ record, doubt }: OpenRequest, { outcome }: AnswerRecord): boolean =>
  !outcome.ok && !provesNoEffect(record.request.kind, outcome.failure, doubt !== null);

const recordsOf = ({ record, doubt }: OpenRequest): readonly JournalRecord[] =>
  doubt === null ? [record] : [record, doubt];

function noteResting(orders: Set<OrderId>, body: AnswerBody): void {
  if (body.kind !== 'create-orders' && body.kind !== 'replace-orders') return;
  for (const item of body.items) if (item.ok && mayRest(item.value)) orders.add(item.value.orderId);
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

/** Maps and sets iterate in order of insertion. */
function dropOldest<Key>(kept: Map<Key, unknown> | Set<Key>, most: number): void {
  if (kept.size <= most) return;
  for (const key of kept.keys()) {
    kept.delete(key);
    if (kept.size <= most) return;
  }
}
