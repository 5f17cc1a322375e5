/**
 * The bundled exchange as others see it: configuration, commands, outcomes, events, queries. Integers and ids of
 * `domain/` only; the wire's spelling of all of it is made by `present/`.
 */
export type * from './contract/config.js';
export type * from './contract/commands.js';
export type * from './contract/outcomes.js';
export type * from './contract/events.js';
export type * from './contract/queries.js';
export type * from './contract/views.js';
export type * from './contract/ledger.js';
export type * from './contract/exchange.js';
