export { ListenError, PortBusyError } from './address.js';
export type { AdminReaders } from './admin/route.js';
export { type ExchangeServer, type ExchangeServerConfig, startExchangeServer } from './exchange-server.js';
export type { RequestUsage } from './http/rate-limit.js';
export type { UsageStore } from './http/rate-limit.js';
