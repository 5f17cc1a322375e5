import { describe, expect, it } from 'vitest';
import {
  type Doubt,
  LIFE_EVENTS,
  nextDoubt,
  nextState,
  ORDER_STATES,
} from '../../../../../src/core/execution/orders/order-life.js';

const after = (
  state: (typeof ORDER_STATES)[number],
  event: (typeof LIFE_EVENTS)[number],
  doubt: Doubt | null = null,
) => nextState({ state, doubt }, event);

describe('the life of an order', () => {
  it('defines every pair of state and event', () => {
    for (const state of ORDER_STATES)
      for (const event of LIFE_EVENTS) expect(ORDER_STATES).toContain(after(state, event));
  });

  it('never leaves done', () => {
    for (const event of LIFE_EVENTS) expect(after('done', event)).toBe('done');
  });

  it('takes a lost answer for unknown, never for a refusal', () => {
    for (const state of ['creating', 'live', 'updating', 'cancelling'] as const)
      expect(after(state, 'lost')).toBe('unknown');
  });

  it('makes the old order unknown, not live, when the item of its update failed', () => {
    expect(after('updating', 'update-failed')).toBe('unknown');
  });

  it('puts an order back where it was when a request provably had no effect', () => {
    expect(after('updating', 'update-refused')).toBe('live');
    expect(after('cancelling', 'cancel-refused')).toBe('live');
    expect(after('cancelling', 'cancel-refused', 'update')).toBe('unknown');
  });

  it('lets a frame of any age settle a lost create, and nothing graver', () => {
    expect(after('unknown', 'working', 'create')).toBe('live');
    expect(after('unknown', 'working', 'update')).toBe('unknown');
    expect(after('unknown', 'working', 'cancel')).toBe('unknown');
  });

  it('concludes nothing from absence while a request is under way', () => {
    for (const state of ['creating', 'updating', 'cancelling'] as const)
      expect(after(state, 'absent')).toBe(state);
    expect(after('unknown', 'absent')).toBe('done');
  });

  it('remembers the first doubt through a cancel', () => {
    expect(nextDoubt({ state: 'creating', doubt: null }, 'lost', 'unknown')).toBe('create');
    expect(nextDoubt({ state: 'unknown', doubt: 'create' }, 'cancel-sent', 'cancelling')).toBe('create');
    expect(nextDoubt({ state: 'cancelling', doubt: 'create' }, 'cancel-failed', 'unknown')).toBe('create');
    expect(nextDoubt({ state: 'unknown', doubt: 'create' }, 'working', 'live')).toBeNull();
  });
});
