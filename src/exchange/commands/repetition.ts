/** What repeated requests meet (specification 5.5, facts "Limits"): the stored answer, or a refusal. */
import type { Command, OutcomeOf, PlaceBatch, PlaceOrder, UpdateBatch } from '../contract.js';
import type { Floor } from '../floor.js';
import { nameOf } from '../idempotency.js';

export type Creating = PlaceOrder | PlaceBatch | UpdateBatch;
type CreatingOutcome = OutcomeOf[Creating['kind']];

/** A command that may carry an idempotency key. */
export function isCreating(command: Command): command is Creating {
  const { kind } = command;
  return kind === 'place-order' || kind === 'place-batch' || kind === 'update-batch';
}

/** Under which the command's answer is stored, after its key and body; null when it carries no key. */
export function recordName({ account, kind, request }: Creating): string | null {
  if (request === null || request.key === null) return null;
  return nameOf({ account, endpoint: kind, key: request.key, body: request.body });
}

/** @returns the answer stored under a name, null when there is none */
export function storedAnswer(floor: Floor, name: string): CreatingOutcome | null {
  const answer = floor.idempotency.find(name, floor.now);
  return answer === null ? null : (answer.outcome as CreatingOutcome);
}

/** Stores an answer for replays: successes and refusals of 7.2, nothing else. */
export function storeAnswer(floor: Floor, name: string, outcome: CreatingOutcome): void {
  if (!isStorable(outcome)) return;
  const items = 'items' in outcome ? outcome.items.length : 1;
  floor.idempotency.store(name, outcome, items, floor.now);
}

const NOT_STORED: ReadonlySet<string> = new Set(['ValidationError', 'wager_action_duplicated']);

const isStorable = (outcome: CreatingOutcome): boolean => outcome.ok || !NOT_STORED.has(outcome.refusal.code);

/** @returns whether the same single or batch creation was taken a moment ago; remembers this one if not */
export function isDuplicate(floor: Floor, { account, kind, request }: Creating): boolean {
  if (request === null || kind === 'update-batch') return false;
  return !floor.duplicates.admit(`${account} ${kind} ${request.body}`, floor.now);
}
