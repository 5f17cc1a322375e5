/** The list must catch an adapter that is wrong: each of these fails the case that is named. */
import { expect, test } from 'vitest';
import type { Perform, VenueClient } from '../../src/venues/port.js';
import { CASES } from './cases.js';
import { harbour } from './harbour.js';
import { Scene } from './scene.js';
import type { VenueUnderTest } from './venue-under-test.js';

type Broken = (venue: VenueUnderTest) => VenueUnderTest;

const asking =
  (change: (perform: Perform) => Perform): Broken =>
  (venue) => {
    const { client } = venue;
    const broken: VenueClient = {
      performing: (terms) => change(client.performing(terms)),
      canDate: (sentAt) => client.canDate(sentAt),
      venueAhead: 0,
    };
    return { ...venue, client: broken };
  };

const keyedAnew = asking((perform) => {
  let tries = 0;
  return (request, sending) => perform(request, { ...sending, key: `${sending.key}-${++tries}` });
});

const lostTakenForRefused = asking((perform) => async (request, sending) => {
  const outcome = await perform(request, sending);
  if (outcome.ok || outcome.failure.kind !== 'unknown') return outcome;
  return { ...outcome, failure: { kind: 'not-sent', reason: outcome.failure.reason } };
});

const throttleNotUnderstood = asking((perform) => async (request, sending) => {
  const outcome = await perform(request, sending);
  if (outcome.ok || outcome.failure.kind !== 'refused') return outcome;
  return { ...outcome, failure: { ...outcome.failure, means: 'unstated' } };
});

const scopeForgotten = asking(
  (perform) => (request, sending) =>
    request.kind === 'cancel-scope' && request.scope.kind === 'market'
      ? perform({ ...request, scope: { ...request.scope, marketId: 'RAIN-TOMORROW' as never } }, sending)
      : perform(request, sending),
);

const CANARIES: readonly (readonly [name: string, broken: Broken, id: string])[] = [
  ['a key of its own for every try', keyedAnew, 'V-35'],
  ['a lost answer taken for a request that never left', lostTakenForRefused, 'V-34'],
  ['a refusal for too many requests that is not understood', throttleNotUnderstood, 'V-52'],
  ['another market than the one asked for', scopeForgotten, 'V-40'],
];

test.each(CANARIES)('%s fails its case', async (_name, broken, id) => {
  const { run } = CASES.find((one) => one.id === id)!;
  const venue = await harbour.open();
  await expect(run(new Scene(venue))).resolves.toBeUndefined();
  const wrong = broken(await harbour.open());
  await expect(run(new Scene(wrong))).rejects.toThrow(/expected|not within|ok|refused/);
});
