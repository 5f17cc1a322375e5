/** Whether orders are taken: event status, bet window, market status (facts, "Signing": which code says what). */
import type { Micros } from '../../domain/units.js';
import type { Market } from './markets.js';

/** The event is open and the market's bet window is running. */
export const isOpen = (market: Market, now: Micros): boolean =>
  market.event.status === 'open' && !isBefore(market, now) && !isOver(market, now);

const isBefore = ({ event }: Market, now: Micros): boolean =>
  event.config.betStart !== null && now < event.config.betStart;

/** The bet window has ended. */
export const isOver = ({ betEnd }: Market, now: Micros): boolean => betEnd !== null && now >= betEnd;

/** Orders are taken and matched. */
export const isTradable = (market: Market, now: Micros): boolean =>
  market.status === 'active' && !market.disabled && isOpen(market, now);

/** Resting orders may stay: what is paused, disabled or not yet begun keeps them, what is over does not. */
export const keepsOrders = (market: Market, now: Micros): boolean =>
  keeps(market.event.status) && keeps(market.status) && !isOver(market, now);

const keeps = (status: string): boolean => status === 'open' || status === 'active' || status === 'paused';
