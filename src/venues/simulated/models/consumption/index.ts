export type { ConsumptionModel } from './consumption-model.js';
export { returns } from './returns.js';
export { untilRefreshed } from './until-refreshed.js';
export { untilVanished } from './until-vanished.js';
