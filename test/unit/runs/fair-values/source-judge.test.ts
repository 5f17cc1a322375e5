import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../src/domain/ids.js';
import { type Micros, micros } from '../../../../src/domain/units.js';
import { SourceJudge } from '../../../../src/runs/fair-values/source-judge.js';
import { piecesOf } from '../../../../src/runs/fair-values/stated-values.js';

const [HOME, AWAY] = [marketId(11), marketId(12)];
const at = (ms: number): Micros => micros((1_786_400_000_000 + ms) * 1_000);
const iso = (ms: number): string => new Date(1_786_400_000_000 + ms).toISOString();

function judging() {
  const judge = new SourceJudge({
    markets: [
      { id: HOME, key: 'HOME' },
      { id: AWAY, key: null },
    ],
  });
  const say = (text: string, now = 0, arrivedAt = now) =>
    judge.judge(piecesOf(text), { now: at(now), arrivedAt: at(arrivedAt) });
  return { judge, say };
}

const value = (market: string | number, probability: unknown, more: object = {}): string =>
  JSON.stringify({ market, probability, ...more });

describe('values of a source', () => {
  it('count from the time that is stated, else from their arrival', () => {
    const { say } = judging();
    const { values } = say(
      `${value('HOME', 0.5, { time: iso(-300) })}\n${value(12, 0.25, { confidence: 0.5 })}`,
      0,
      -40,
    );
    expect(values.map(({ value: counted }) => counted)).toEqual([
      { kind: 'fair-value', marketId: HOME, p: 0.5, confidence: 1, at: at(-300) },
      { kind: 'fair-value', marketId: AWAY, p: 0.25, confidence: 0.5, at: at(-40) },
    ]);
  });

  it('that came together count as the newest of each market', () => {
    const { judge, say } = judging();
    const { values } = say([0.1, 0.2, 0.3].map((p) => value('HOME', p)).join('\n'));
    expect(values).toMatchObject([{ value: { p: 0.3 } }]);
    expect(judge.counts['accepted']).toBe(3);
  });

  it.each([
    ['not-a-probability', value('HOME', 1.2), 'probability 1.2'],
    ['not-a-probability', value('HOME', -0.01), 'probability -0.01'],
    ['not-a-probability', value('HOME', 'half'), 'probability "half"'],
    ['not-a-probability', value('HOME', undefined), 'probability missing'],
    ['not-a-probability', value('HOME', 0.5, { confidence: 3 }), 'confidence 3'],
    ['unknown-market', value(13, 0.5), 'market 13'],
    ['unknown-market', value('home', 0.5), 'market home'],
    ['from-the-future', value('HOME', 0.5, { time: iso(1_001) }), iso(1_001)],
    ['older', value('HOME', 0.5, { time: iso(-5_001) }), iso(-5_001)],
    ['not-a-number', JSON.stringify({ market: 'HOME', name: 'elo', value: 'high' }), 'elo with value "high"'],
    ['unreadable', '{"market":', '{"market":'],
  ])('are refused and counted: %s %s', (reason, text, found) => {
    const { judge, say } = judging();
    say(value('HOME', 0.4, { time: iso(-5_000) }));
    const { values, refused } = say(`${value(12, 0.25)}\n${text}`);
    expect(values.map(({ value: { marketId: market } }) => market)).toEqual([AWAY]);
    expect(refused).toMatchObject([{ line: 2, reason, found }]);
    expect(judge.counts).toEqual({
      accepted: 2,
      unreadable: 0,
      'not-a-probability': 0,
      'not-a-number': 0,
      'unknown-market': 0,
      'from-the-future': 0,
      older: 0,
      [reason]: 1,
    });
  });

  it('may be of a clock that is a second ahead, and may replace one of the same time', () => {
    const { say } = judging();
    expect(say(value('HOME', 0.5, { time: iso(1_000) })).values).toHaveLength(1);
    expect(say(value('HOME', 0.6, { time: iso(1_000) })).values).toHaveLength(1);
  });

  it('that are said again are no news, unless they count from now', () => {
    const { say } = judging();
    say(value('HOME', 0.5, { time: iso(0) }));
    expect(say(value('HOME', 0.5, { time: iso(0) }), 50)).toMatchObject({
      values: [],
      accepted: 1,
      refused: [],
    });
    say(value(12, 0.5), 0);
    expect(say(value(12, 0.5), 50).values).toMatchObject([{ arrivedAt: at(50), value: { at: at(50) } }]);
  });

  it('may be signals, each name with a newest value of its own', () => {
    const { say } = judging();
    const elo = { market: 'HOME', name: 'elo', value: 1_520.5 };
    const { values } = say(
      `${JSON.stringify(elo)}\n${JSON.stringify({ ...elo, name: 'form', value: -3 })}\n${value('HOME', 0.5)}`,
    );
    expect(values.map(({ value: said }) => said)).toEqual([
      { kind: 'signal', marketId: HOME, name: 'elo', value: 1_520.5, confidence: 1, at: at(0) },
      { kind: 'signal', marketId: HOME, name: 'form', value: -3, confidence: 1, at: at(0) },
      { kind: 'fair-value', marketId: HOME, p: 0.5, confidence: 1, at: at(0) },
    ]);
    expect(say('market,name,value\nHOME,elo,1530\n', 9).values).toMatchObject([
      { value: { name: 'elo', value: 1_530 } },
    ]);
    const alone = new SourceJudge({ markets: [{ id: HOME, key: null }], signalsOnly: true });
    const arrival = { now: at(0), arrivedAt: at(0) };
    expect(alone.judge(piecesOf(value(11, 0.5)), arrival).refused).toMatchObject([{ reason: 'unreadable' }]);
    expect(alone.judge(piecesOf(JSON.stringify({ ...elo, market: 11 })), arrival).accepted).toBe(1);
  });

  it('may have a hundred names of signals, in camelCase', () => {
    const { say } = judging();
    const named = (name: string) => JSON.stringify({ market: 'HOME', name, value: 1 });
    const names = Array.from({ length: 102 }, (_one, at) => `n${at}`);
    expect(say(names.map(named).join('\n'))).toMatchObject({
      accepted: 100,
      refused: [{ found: 'name n100' }, {}],
    });
    expect(say(named('n7')).accepted).toBe(1);
    expect(judging().say(named('No name')).refused).toMatchObject([{ reason: 'unreadable' }]);
  });

  it('may name a market by its id, but for one whose id is the key of another', () => {
    const judge = new SourceJudge({
      markets: [
        { id: HOME, key: 'HOME' },
        { id: AWAY, key: '11' },
      ],
    });
    const { values } = judge.judge(piecesOf(`${value(12, 0.2)}\n${value(11, 0.3)}`), {
      now: at(0),
      arrivedAt: at(0),
    });
    expect(values).toMatchObject([{ value: { marketId: AWAY, p: 0.3 } }]);
  });

  it('that were recorded arrive when they did, and cannot be of later', () => {
    const judge = new SourceJudge({ markets: [{ id: HOME, key: null }], isRecorded: true });
    const say = (text: string) => judge.judge(piecesOf(text), { now: at(0), arrivedAt: at(0) });
    const { values } = say(value(11, 0.5, { time: iso(5_000), arrived: iso(5_300) }));
    expect(values).toMatchObject([{ arrivedAt: at(5_300), value: { at: at(5_000) } }]);
    expect(say(value(11, 0.5, { time: iso(9_000), arrived: iso(7_000) })).refused).toMatchObject([
      { reason: 'from-the-future' },
    ]);
  });

  it('need a time where their arrival means nothing', () => {
    const judge = new SourceJudge({ markets: [{ id: HOME, key: null }], isRecorded: true });
    const { refused } = judge.judge(piecesOf(value(11, 0.5)), { now: at(0), arrivedAt: at(0) });
    expect(refused).toMatchObject([{ reason: 'unreadable', expected: 'a field time' }]);
  });
});
