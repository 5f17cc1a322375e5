import { describe, expect, it } from 'vitest';
import { marketId } from '../../../../../src/domain/ids.js';
import { micros } from '../../../../../src/domain/units.js';
import { Notices } from '../../../../../src/core/engine/guarding/notices.js';

const SECOND = 1_000_000;
const at = (seconds: number) => micros(seconds * SECOND);
const texts = (notices: Notices): readonly string[] => notices.drain().map(({ text }) => text);

describe('notices', () => {
  it('of the same text come once in ten seconds', () => {
    const notices = new Notices();
    for (const second of [0, 1, 9, 10, 11]) notices.error('killed', 'killed: by hand', at(second));
    expect(notices.recent.map((notice) => notice.at)).toEqual([at(10), at(0)]);
  });

  it('say how many others they stand for', () => {
    const notices = new Notices();
    for (const second of [0, 1, 2, 9, 11, 30])
      notices.info('refused-price-collar', `found ${second}`, marketId(1), at(second));
    expect(texts(notices)).toEqual(['found 0', 'found 11 (and 3 like it before)', 'found 30']);
  });

  it('of a strategy come ten in ten seconds for each market, with instance and details', () => {
    const notices = new Notices();
    for (let line = 0; line < 15; line++)
      notices.spoken('rain', { message: `line ${line}`, details: { at: line } }, marketId(1), at(line / 10));
    notices.spoken('rain', { message: 'other', details: 1n }, marketId(2), at(2));
    const said = texts(notices);
    expect(said).toHaveLength(11);
    expect([said[0], said[10]]).toEqual(['rain: line 0 {"at":0}', 'rain: other (details that are no JSON)']);
    notices.spoken('rain', { message: 'later', details: undefined }, marketId(1), at(20));
    expect(texts(notices)).toEqual(['rain: later (and 5 like it before)']);
  });

  it('that differ are all said: two instances that stop are two things to know', () => {
    const notices = new Notices();
    notices.error('strategy-fault', 'instance a stopped', at(0));
    notices.error('strategy-fault', 'instance b stopped', at(1));
    expect(texts(notices)).toEqual(['instance a stopped', 'instance b stopped']);
  });

  it('that differ with every frame do not become a flood', () => {
    const notices = new Notices();
    for (let count = 0; count < 100; count += 1)
      notices.warn('cash-differs', `differs by ${count}`, null, micros(count * 100_000));
    expect(texts(notices)).toHaveLength(5);
  });

  it('for information come once in ten seconds, whatever they say, and by market', () => {
    const notices = new Notices();
    notices.info('order-foreign', 'one', marketId(1), at(0));
    notices.info('order-foreign', 'two', marketId(1), at(1));
    notices.info('order-foreign', 'three', marketId(2), at(1));
    expect(texts(notices)).toEqual(['one', 'three']);
  });
});
