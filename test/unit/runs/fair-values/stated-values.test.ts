import { describe, expect, it } from 'vitest';
import {
  LineSplitter,
  piecesOf,
  type Reading,
  ValueReader,
} from '../../../../src/runs/fair-values/stated-values.js';

const readAll = (text: string): readonly Reading[] => {
  const reader = new ValueReader();
  return piecesOf(text).flatMap(({ content }) => reader.read(content) ?? []);
};
const values = (text: string): readonly unknown[] =>
  readAll(text).map((reading) => (reading.ok ? reading.value : reading.refusal.expected));

const HOME = {
  market: 'HOME',
  name: null,
  value: 0.52,
  confidence: 0.8,
  at: 1_786_400_000_000_000,
  arrived: null,
};
const BARE = { market: '11', name: null, value: 0.4, confidence: 1, at: null, arrived: null };

describe('a text of fair values', () => {
  it.each([
    ['CSV', 'market,probability,confidence,time\nHOME,0.52,0.8,1786400000000\n11,0.4\n'],
    [
      'CSV in another order',
      'time, confidence, probability, market\r\n2026-08-10T22:13:20Z,.8,0.52,HOME\n,,0.4,11',
    ],
    ['quoted CSV', 'market,probability,confidence,time\n"HOME",0.52,0.8,"1786400000000"\n11,0.4,,\n'],
    [
      'NDJSON',
      '{"market":"HOME","probability":0.52,"confidence":0.8,"time":1786400000000}\n{"market":11,"probability":"0.4"}\n',
    ],
    [
      'a JSON list',
      '[{"market":"HOME","probability":0.52,"confidence":0.8,"time":"2026-08-11T00:13:20+02:00"},\n {"market":11,"probability":0.4}]',
    ],
  ])('is read from %s', (_form, text) => {
    expect(values(text)).toEqual([HOME, BARE]);
  });

  it('may begin with a byte order mark', () => {
    expect(values('\uFEFFmarket,probability\n11,0.4\n')).toEqual([BARE]);
    expect(values('\uFEFF[{"market": 11, "probability": 0.4}]')).toEqual([BARE]);
  });

  it('may be one JSON object over several lines', () => {
    expect(values('{\n "market": 11,\n "probability": 0.4\n}')).toEqual([BARE]);
  });

  it('may have a comma or a quote in the name of a market', () => {
    expect(values('market,probability\n"a, ""b""",0.4\n')).toEqual([{ ...BARE, market: 'a, "b"' }]);
  });

  it.each([
    ['11,0.4', 'a header line such as market,probability,confidence,time'],
    ['{"market": "HOME", "probab', 'JSON such as {"market": "HOME", "probability": 0.52}'],
    ['[3]', 'JSON such as {"market": "HOME", "probability": 0.52}'],
    ['{"probability": 0.4}', 'a field market'],
    ['{"market": 1, "probability": 0.4, "time": 1786400000}', expect.stringMatching(/^ISO 8601 with zone/)],
    [
      '{"market": 1, "probability": 0.4, "time": "2026-08-10 21:33"}',
      expect.stringMatching(/^ISO 8601 with zone/),
    ],
  ])('is refused where it cannot be understood: %s', (text, expected) => {
    expect(values(text)).toEqual([expected]);
  });

  it('names a probability as found, for who judges it', () => {
    expect(values('market,probability\n11,half\n12,\n')).toEqual([
      { ...BARE, value: 'half' },
      { ...BARE, market: '12', value: '' },
    ]);
  });
});

describe('bytes', () => {
  it('are lines once their line feed has come, wherever they are cut', () => {
    const bytes = Buffer.from('né,0.5\n\nb,0.55\nc,0.');
    for (let cut = 0; cut <= bytes.length; cut++) {
      const lines = new LineSplitter();
      const found = [...lines.push(bytes.subarray(0, cut)), ...lines.push(bytes.subarray(cut))];
      expect(found).toEqual([
        { line: 1, content: 'né,0.5' },
        { line: 2, content: '' },
        { line: 3, content: 'b,0.55' },
      ]);
    }
  });

  it('without a line feed fill no memory', () => {
    const lines = new LineSplitter();
    for (let at = 0; at < 100; at++) lines.push(Buffer.alloc(10_000, 'x'));
    const [line] = lines.push(Buffer.from('\n'));
    expect((line!.content as string).length).toBe(65_536);
  });
});
