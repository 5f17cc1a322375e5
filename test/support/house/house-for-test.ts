import { onTestFinished } from 'vitest';
import { scratchFolder } from '../disk/scratch-folder.js';
import { House, type HouseOptions } from './house.js';

/** A house of its own for the running test; whatever runs in it is killed when the test ends. */
export async function houseForTest(options: Partial<HouseOptions> = {}): Promise<House> {
  const house = await House.build(scratchFolder(), options);
  onTestFinished(() => house.tearDown());
  return house;
}
