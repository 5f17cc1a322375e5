/** What is gone by where the words about an event's outcomes differ: never a better one than either says. */
import { describe, expect, it } from 'vitest';
import type { ResolutionMode } from '../../../../../src/domain/vocabulary.js';
import { EVENT, MirrorDriver, eventOf, marketOf } from '../../../../support/mirror/mirror-driver.js';

type Word = ResolutionMode | null;

/** Of several markets, as configured, and as the venue says in one read after the other. */
function heard(configured: Word, ...told: readonly Word[]): MirrorDriver {
  const driver = new MirrorDriver({}, eventOf({ resolutionMode: configured }));
  for (const word of told) readAgain(driver, word);
  return driver;
}

/** The connection is lost, and everything is read once more. */
function readAgain(driver: MirrorDriver, word: Word): void {
  driver
    .says(eventOf({ resolutionMode: word }))
    .connection('lost')
    .goLive();
}

const modeOf = (driver: MirrorDriver): string => driver.mirror.event(EVENT).resolutionMode;
const isContradicted = (driver: MirrorDriver): boolean => driver.mirror.event(EVENT).claims.isContradicted;
const findingsOf = (driver: MirrorDriver) =>
  driver.mirror.drainFindings().filter(({ kind }) => kind.startsWith('resolution'));

describe('whether outcomes exclude each other', () => {
  it.each([
    // configured, the venue's, gone by
    ['exclusive', 'exclusive', 'exclusive'],
    ['exclusive', 'non_exclusive', 'non_exclusive'],
    ['exclusive', null, 'exclusive'],
    ['non_exclusive', 'exclusive', 'non_exclusive'],
    ['non_exclusive', 'non_exclusive', 'non_exclusive'],
    ['non_exclusive', null, 'non_exclusive'],
    [null, 'exclusive', 'exclusive'],
    [null, 'non_exclusive', 'non_exclusive'],
    [null, null, 'non_exclusive'],
  ] as const)('configured %s, told %s: %s is gone by', (configured, told, expected) => {
    const driver = heard(configured, told);
    expect(modeOf(driver)).toBe(expected);
    expect(isContradicted(driver)).toBe(configured === 'exclusive' && told === 'non_exclusive');
  });

  it('counts as open until the venue has said it, where the configuration says nothing', () => {
    expect(modeOf(heard(null))).toBe('non_exclusive');
    expect(modeOf(heard('exclusive'))).toBe('exclusive');
  });

  it('a contradiction is told once, and its end', () => {
    const driver = heard('exclusive', 'non_exclusive', 'non_exclusive');
    expect(findingsOf(driver)).toEqual([
      { kind: 'resolution-contradicted', eventId: EVENT, by: 'configuration' },
    ]);
    readAgain(driver, 'exclusive');
    expect([modeOf(driver), isContradicted(driver)]).toEqual(['exclusive', false]);
    expect(findingsOf(driver)).toEqual([{ kind: 'resolution-agreed', eventId: EVENT }]);
  });

  it('a read that does not say leaves what the last one said', () => {
    const driver = heard('exclusive', 'non_exclusive', null);
    expect([modeOf(driver), isContradicted(driver)]).toEqual(['non_exclusive', true]);
    expect(modeOf(heard(null, 'exclusive', null))).toBe('exclusive');
  });

  it('the first word of the venue holds, where the configuration says nothing: a worse one contradicts it', () => {
    const driver = heard(null, 'exclusive', 'non_exclusive');
    expect([modeOf(driver), isContradicted(driver)]).toEqual(['non_exclusive', true]);
    expect(findingsOf(driver)).toEqual([{ kind: 'resolution-contradicted', eventId: EVENT, by: 'venue' }]);
  });

  it('a better word later is told once, and not gone by', () => {
    const driver = heard(null, 'non_exclusive', 'exclusive', 'exclusive');
    expect([modeOf(driver), isContradicted(driver)]).toEqual(['non_exclusive', false]);
    expect(findingsOf(driver)).toEqual([{ kind: 'resolution-needless', eventId: EVENT, by: 'venue' }]);
    expect(findingsOf(heard('non_exclusive', 'exclusive'))).toEqual([
      { kind: 'resolution-needless', eventId: EVENT, by: 'configuration' },
    ]);
  });

  it('that nobody says it is told once', () => {
    expect(findingsOf(heard(null, null, null))).toEqual([{ kind: 'resolution-unsaid', eventId: EVENT }]);
    expect(findingsOf(heard('exclusive', null))).toEqual([]);
  });

  it('says nothing of an event of one market, which has nothing to exclude', () => {
    const alone = { markets: [marketOf()] };
    for (const configured of ['exclusive', 'non_exclusive', null] as const)
      for (const told of ['exclusive', 'non_exclusive', null] as const) {
        const driver = new MirrorDriver({}, eventOf({ ...alone, resolutionMode: configured }));
        driver.says(eventOf({ ...alone, resolutionMode: told })).goLive();
        expect([isContradicted(driver), findingsOf(driver)]).toEqual([false, []]);
      }
  });
});
