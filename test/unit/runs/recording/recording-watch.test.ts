import { describe, expect, it } from 'vitest';
import { type RecordingNews, RecordingWatch } from '../../../../src/runs/recording/channel-recorder.js';
import type { RequestFailure } from '../../../../src/domain/answers.js';
import type { Micros } from '../../../../src/domain/units.js';
import type { Outcome } from '../../../../src/venues/outcome.js';
import { subscriptionChange } from '../../../../src/venues/futuur/protocol/realtime/channels.js';

const SECOND = 1_000_000;

function watching() {
  let now = 0;
  const told: RecordingNews[] = [];
  const watch = new RecordingWatch({
    now: () => now as Micros,
    pollMs: 5_000,
    tell: (news) => void told.push(news),
  });
  return {
    watch,
    pass: (seconds: number) => void (now += seconds * SECOND),
    texts: () => told.splice(0).map(({ text }) => text),
  };
}

const READ: Outcome<unknown> = { ok: true, value: null, sentAt: 0 as Micros };
const failed = (failure: RequestFailure): Outcome<never> => ({ ok: false, failure, sentAt: null });
const NOBODY = failed({ kind: 'not-sent', reason: 'ECONNREFUSED' });
const ABSENT = failed({
  kind: 'refused',
  status: 404,
  code: 'NotFound',
  means: 'not-found',
  detail: 'no market',
  retryAfterMs: null,
});

describe('the watch over a recording', () => {
  it('tells that the realtime service was never there, and from when it is', () => {
    const { watch, pass, texts } = watching();
    pass(1);
    watch.connection({ kind: 'link', state: 'lost', reason: 'no connection within 1000 ms' });
    expect(texts()).toEqual([
      'the realtime service cannot be reached (no connection within 1000 ms); it is tried again and again',
    ]);
    pass(11);
    watch.connection({ kind: 'link', state: 'connected', reason: '' });
    expect(texts()).toEqual(['the realtime connection stands, 12.0 s after the start']);
  });

  it('tells a loss at once, and its length when it is over', () => {
    const { watch, pass, texts } = watching();
    watch.connection({ kind: 'link', state: 'connected', reason: '' });
    expect(texts()).toEqual([]);
    pass(60);
    watch.connection({ kind: 'link', state: 'lost', reason: 'the connection closed' });
    expect(texts()).toEqual([
      'the realtime connection is lost (the connection closed); no frame is recorded until it is back',
    ]);
    pass(16);
    watch.connection({ kind: 'link', state: 'connected', reason: '' });
    expect(texts()).toEqual(['the realtime connection is back, 16.0 s after it was lost']);
  });

  it('tells once that nobody answers, whatever was asked for, and once that it is over', () => {
    const { watch, pass, texts } = watching();
    for (const what of ['event 1', 'the book of market 2', 'the book of market 3', 'event 1'])
      watch.read(what, NOBODY);
    expect(texts()).toEqual(['the venue cannot be read (ECONNREFUSED); it is asked again every 5 s']);
    pass(10);
    for (const what of ['event 1', 'the book of market 2', 'the book of market 3']) watch.read(what, READ);
    expect(texts()).toEqual(['over after 10.0 s: the venue cannot be read (ECONNREFUSED)']);
  });

  it('tells each market that the venue does not know', () => {
    const { watch, texts } = watching();
    for (let round = 0; round < 3; round++)
      for (const what of ['the book of market 98', 'the book of market 99']) watch.read(what, ABSENT);
    expect(texts()).toEqual([
      'the book of market 98 cannot be read (404 NotFound: no market); it is asked again every 5 s',
      'the book of market 99 cannot be read (404 NotFound: no market); it is asked again every 5 s',
    ]);
  });

  it('takes nothing for over because something worse came in between', () => {
    const { watch, pass, texts } = watching();
    watch.read('the book of market 98', READ);
    watch.read('the book of market 99', ABSENT);
    texts();
    for (const what of ['the book of market 98', 'the book of market 99']) watch.read(what, NOBODY);
    expect(texts()).toEqual(['the venue cannot be read (ECONNREFUSED); it is asked again every 5 s']);
    pass(7);
    watch.read('the book of market 98', READ);
    watch.read('the book of market 99', ABSENT);
    watch.read('the book of market 98', READ);
    expect(texts()).toEqual(['over after 7.0 s: the venue cannot be read (ECONNREFUSED)']);
    watch.read('the book of market 99', READ);
    expect(texts()).toEqual([
      'over after 7.0 s: the book of market 99 cannot be read (404 NotFound: no market)',
    ]);
  });

  it('knows whether the venue told anything', () => {
    const { watch } = watching();
    watch.read('event 1', NOBODY);
    expect(watch.heard).toBe('nothing');
    watch.read('event 1', ABSENT);
    expect(watch.heard).toBe('only refusals');
    watch.read('event 1', READ);
    expect(watch.heard).toBe('something');
  });

  it('tells once that a channel is refused, until it is joined', () => {
    const { watch, texts } = watching();
    for (const state of ['refused', 'refused', 'subscribed'] as const)
      watch.subscription(subscriptionChange('events', state, '403'));
    expect(texts()).toEqual([
      'events may not be joined (403); it is tried again and again',
      'events is joined now',
    ]);
  });
});
