export { ListenError, PortBusyError } from './address.js';
export type { AdminReaders } from './admin/bodies.js';
export type { EventObserver } from './command-funnel.js';
export {
  type ExchangeServer,
  type ExchangeServerConfig,
  type ExchangeServerOptions,
  startExchangeServer,
} from './exchange-server.js';
export type { Credential } from './http/authentication.js';
export type { RequestLimits, RequestUsage } from './http/rate-limit.js';
export type { UsageStore } from './http/usage-keeper.js';
