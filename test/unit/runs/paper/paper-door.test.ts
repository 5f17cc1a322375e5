import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundledVenueOf } from '../../../../src/runs/exchange/exchange.js';
import { openPaperVenue, type PublicSide } from '../../../../src/runs/paper/paper-door.js';
import { PaperState } from '../../../../src/runs/paper/paper-state.js';
import { loadBotSettings } from '../../../../src/settings/index.js';
import { seededRandom } from '../../../../src/storage/clocks/seeded-random.js';
import { HeardFrames } from '../../../../src/venues/futuur/realtime/feed.js';
import { VirtualClock } from '../../../support/clocks/virtual-clock.js';
import { scratchFolder } from '../../../support/disk/scratch-folder.js';
import { BEGINNING } from '../../../support/simulation/world.js';

const { settings } = loadBotSettings('test/simulation/house.yaml', {});
const venue = bundledVenueOf(settings.exchange!, {
  restUrl: 'http://venue.test',
  realtime: { key: 'k', host: 'venue.test', port: 80 },
});
const silent = (): void => undefined;

const open = (folder: string, failure: object) => {
  const side = {
    feed: { streams: new HeardFrames().streams, connect: silent, close: silent },
    client: { venueAhead: 0, canDate: () => true, performing: () => () => Promise.reject(new Error()) },
    event: () => Promise.resolve({ ok: false, failure, sentAt: null }),
  } as unknown as PublicSide;
  const options = {
    settings: { ...settings, mode: 'paper' as const },
    venue,
    clock: new VirtualClock(BEGINNING),
    random: seededRandom(1),
    logger: { warn: silent } as never,
  };
  return openPaperVenue(options, side, new PaperState(folder), silent);
};

it('does not start without its events', async () => {
  await expect(
    open(scratchFolder(), { kind: 'refused', status: 404, code: 'NotFound' }),
  ).rejects.toMatchObject({
    code: 'ODDSMITH_USAGE',
    message: 'event 100 is not known at http://venue.test; look at the events of the file',
  });
  await expect(open(scratchFolder(), { kind: 'not-sent', reason: 'ECONNREFUSED' })).rejects.toMatchObject({
    code: 'ODDSMITH_VENUE_UNREACHABLE',
    message: 'event 100 cannot be read at http://venue.test: ECONNREFUSED',
  });
});

it('does not begin anew where the account cannot be read', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'paper.json'), '{"format": 1}');
  await expect(open(folder, {})).rejects.toMatchObject({
    code: 'ODDSMITH_USAGE',
    message: expect.stringMatching(
      /paper\.json: .*format 1.*remove this file to begin with new cash/,
    ) as string,
  });
});
