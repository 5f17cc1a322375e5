import { describe, expect, it } from 'vitest';
import { fitted, cut, widthOf } from '../../../src/cli/screen/text.js';
import { COLOURED } from '../../../src/cli/screen/format.js';

describe('the width of a text', () => {
  it.each([
    ['plain', 5],
    [COLOURED.alarm('red'), 3],
    ['東京', 4],
    ['ｶﾅ', 2],
    ['ラグビー', 8],
    ['e\u0301te', 3],
    ['⚽', 2],
    ['●…−', 3],
    ['a\u0007b\n', 2],
  ])('of %j is %i places', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('a cut text', () => {
  it('that has room stays as it is, but for what moves the cursor', () => {
    expect(cut('as it is', 8)).toBe('as it is');
    expect(cut('a\u001B[2Jb\r\nc', 80)).toBe('a[2Jbc');
    expect(cut(COLOURED.good('ok'), 2)).toBe(COLOURED.good('ok'));
  });

  it('ends in an ellipsis within its width, and its colours end', () => {
    expect(cut('a longer text', 8)).toBe('a longe…');
    expect(cut(COLOURED.good('a longer text'), 8)).toBe(
      `${COLOURED.good('a longe…').replace('…\u001B[39m', '')}…\u001B[39m`,
    );
    expect(widthOf(cut('東京証券', 6))).toBeLessThanOrEqual(6);
    expect(cut('abc', 1)).toBe('…');
    expect(cut('abc', 0)).toBe('');
  });

  it.each([
    ['net -43.03', 8, 'net …'],
    ['net -43.03 of 12', 12, 'net -43.03 …'],
    ['at 14:03:09 it was', 9, 'at …'],
    ['1,234,567.89', 5, '…'],
    [`net ${COLOURED.bad('-43.03')}`, 8, 'net \u001B[31m…\u001B[39m'],
    ['no 5', 3, 'no…'],
  ])('of %j in %i places shows no part of a figure', (text, width, shown) => {
    expect(cut(text, width)).toBe(shown);
  });
});

describe('segments of a line', () => {
  const segments = [
    { text: 'first', rank: 1 },
    { text: '', rank: 0 },
    { text: 'second', rank: 2 },
    { text: 'third', rank: 0 },
  ];

  it.each([
    [20, 'first  second  third'],
    [19, 'first  third'],
    [11, 'third'],
    [4, 'thi…'],
  ])('in %i places are those that matter most', (width, line) => {
    expect(fitted(segments, width)).toBe(line);
  });
});
