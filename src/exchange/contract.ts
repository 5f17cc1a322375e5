/**
 * Public types of the bundled exchange: configuration, commands, outcomes, events, queries. Values are integers and ids
 * of `domain/`; the server writes them as the venue's JSON.
 */
export type * from './contract/config.js';
export type * from './contract/commands.js';
export type * from './contract/outcomes.js';
export type * from './contract/events.js';
export type * from './contract/exchange.js';
export type * from './contract/views.js';
