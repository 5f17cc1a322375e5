/** Answers as JSON and back: balances are a map, which JSON does not know. */
import type { Answer, AnswerBody } from '../../domain/answers.js';

const ENTRIES = '$entries';

type Balances = Extract<AnswerBody, { readonly kind: 'read-balances' }>;

/** @returns what `JSON.stringify` keeps all of */
export const plainOutcome = (outcome: Answer['outcome']): unknown =>
  outcome.ok && outcome.body.kind === 'read-balances'
    ? { ok: true, body: { ...outcome.body, balances: { [ENTRIES]: [...outcome.body.balances] } } }
    : outcome;

/** @param plain as {@link plainOutcome} made it, through JSON */
export const outcomeFrom = (plain: Answer['outcome']): Answer['outcome'] =>
  plain.ok && plain.body.kind === 'read-balances'
    ? { ok: true, body: { ...plain.body, balances: balancesFrom(plain.body) } }
    : plain;

const balancesFrom = ({ balances }: Balances): Balances['balances'] =>
  new Map((balances as unknown as { readonly [ENTRIES]: [] })[ENTRIES]);
