/**
 * The bundled exchange as others see it: configuration, commands, outcomes, events, queries. Integers and ids of
 * `domain/` only; how the wire spells them is the server's business.
 */
export type * from './contract/config.js';
export type * from './contract/commands.js';
export type * from './contract/outcomes.js';
export type * from './contract/events.js';
export type * from './contract/exchange.js';
export type * from './contract/views.js';
export type * from './contract/views.js';
export type * from './contract/exchange.js';
