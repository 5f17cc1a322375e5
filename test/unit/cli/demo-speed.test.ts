import { expect, it } from 'vitest';
import { atSpeed } from '../../../src/cli/commands/demo.js';
import { loadBotSettings } from '../../../src/settings/index.js';
import { join } from 'node:path';
import { ROOT } from '../../support/project/small-house.js';

it('guards of a re-enactment at 20 times its speed look at the same stretch of the recording', () => {
  const { limits } = loadBotSettings(join(ROOT, 'config/demo.yaml'), {}).settings.instances[0]!;
  const { fillBreaker, markOut } = atSpeed(limits, 20);
  expect(markOut.horizonMs).toBe(limits.markOut.horizonMs / 20);
  expect(fillBreaker.windowMs).toBe(limits.fillBreaker.windowMs / 20);
  expect(atSpeed(limits, 1)).toEqual(limits);
});
