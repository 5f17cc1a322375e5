/** Inputs as JSON and back, exactly: JSON knows neither maps nor numbers that are none. */
import type { AnswerBody } from '../../domain/answers.js';
import type { Input } from '../../domain/inputs.js';

const ENTRIES = '$entries';
const NUMBER = '$number';

type Balances = Extract<AnswerBody, { readonly kind: 'read-balances' }>;

/** @returns what `JSON.stringify` keeps all of */
export function plainInput(input: Input): unknown {
  if (input.kind === 'answer' && input.outcome.ok && input.outcome.body.kind === 'read-balances')
    return { ...input, outcome: { ok: true, body: plainBalances(input.outcome.body) } };
  if (input.kind === 'fair-value' && !(Number.isFinite(input.p) && Number.isFinite(input.confidence)))
    return { ...input, p: plainNumber(input.p), confidence: plainNumber(input.confidence) };
  return input;
}

/** @param plain as {@link plainInput} made it, through JSON */
export function inputFrom(plain: Input): Input {
  if (plain.kind === 'answer' && plain.outcome.ok && plain.outcome.body.kind === 'read-balances')
    return { ...plain, outcome: { ok: true, body: balancesFrom(plain.outcome.body) } };
  if (plain.kind === 'fair-value')
    return { ...plain, p: numberFrom(plain.p), confidence: numberFrom(plain.confidence) };
  return plain;
}

const plainBalances = (body: Balances) => ({ ...body, balances: { [ENTRIES]: [...body.balances] } });

const balancesFrom = (body: Balances): Balances => ({
  ...body,
  balances: new Map((body.balances as unknown as { [ENTRIES]: [] })[ENTRIES]),
});

const plainNumber = (value: number): unknown =>
  Number.isFinite(value) ? value : { [NUMBER]: String(value) };

const numberFrom = (value: unknown): number =>
  typeof value === 'number' ? value : Number((value as { [NUMBER]: string })[NUMBER]);
