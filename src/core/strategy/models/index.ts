/** The models of market making: pure formulas, shared by strategies, `oddsmith validate` and whoever composes. */
export * from './avellaneda-stoikov.js';
export * from './binary.js';
export * from './coherence.js';
export * from './glft.js';
export * from './lmsr.js';
