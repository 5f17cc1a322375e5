import type { FastifyInstance } from 'fastify';
import type { Command, OutcomeOf } from '../exchange/contract.js';
import type { ExchangeCore } from '../exchange/exchange.js';
import type { FaultPlan } from '../venues/simulated/models/faults.js';
import type { Clock } from '../core/ports/clock.js';
import type { CommandLog } from '../core/ports/command-log.js';
import type { Logger } from '../core/ports/logger.js';
import type { Random } from '../core/ports/random.js';
import type { NestedStyle } from '../venues/futuur/protocol/signed-values.js';
import { applicationSecret } from '../venues/futuur/protocol/signing.js';
import type { AdminReaders } from './admin/route.js';
import { addAdminInterface } from './admin/interface.js';
import { type Address, listen } from './address.js';
import { CommandFunnel, type EventObserver } from './command-funnel.js';
import { FaultDesk, FrameFaults } from './faults/request-faults.js';
import { Authentication, type Credential } from './http/authentication.js';
import { BookCache } from './http/book-cache.js';
import { endpointHandlers } from './http/endpoints/index.js';
import { createListener } from './http/listener.js';
import { RequestPipeline } from './http/pipeline.js';
import { RateLimit, type RequestLimits, UsageKeeper, type UsageStore } from './http/rate-limit.js';
import { Hub, type PusherApplication } from './realtime/session.js';
import { Publisher, type OversizedCounts } from './realtime/publisher.js';
import { PusherListener } from './realtime/pusher-listener.js';

/** The wire's own settings; what the core is configured with is in the core. */
export interface ExchangeServerConfig {
  readonly host: string;
  /** 0: any free port. REST and websocket share it. */
  readonly port: number;
  /** Pusher application: the key is public, the secret signs private subscriptions. */
  readonly appKey: string;
  readonly appSecret: string;
  readonly credentials: readonly Credential[];
  /** Empty: no admin interface. */
  readonly adminToken: string;
  /** Accepted difference of the `Timestamp` header, in seconds, both ways. */
  readonly clockWindowS: number;
  /** null: unlimited. */
  readonly rateLimit: RequestLimits | null;
  /** How old a served book may be; 0: never. */
  readonly bookCacheMs: number;
  /** Channels that a realtime connection may join; null: no limit. */
  readonly channelsPerConnection: number | null;
  readonly nested: NestedStyle;
  readonly faults: FaultPlan;
}

export interface ExchangeServerOptions {
  readonly exchange: ExchangeCore;
  readonly config: ExchangeServerConfig;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Absent: nothing outlives the process. Its owner closes it after the server. */
  readonly log?: CommandLog<Command>;
  /** How the snapshots of that log are going, for administrators. */
  readonly snapshots?: () => object;
  /** Absent: a restart forgives what keys have used of their rate limit. */
  readonly usage?: UsageStore;
  /** Events and markets that administrators add are read as the configuration file is. */
  readonly readers: AdminReaders;
  /** Simulated traders, for administrators to see. */
  readonly participants?: readonly object[];
  /** Adds a page to the admin interface. */
  readonly addPage?: (listener: FastifyInstance) => void;
}

/** A listening exchange. */
export interface ExchangeServer {
  readonly restUrl: string;
  readonly realtime: { readonly host: string; readonly port: number; readonly key: string };
  readonly port: number;
  /** Realtime messages beyond 10 KB so far. */
  readonly oversized: Readonly<OversizedCounts>;
  /** For participants inside the house: the same way into the core as every request. */
  execute<C extends Command>(command: C): OutcomeOf[C['kind']];
  /** Told of everything the core says, after the wire was. */
  observe(observer: EventObserver): void;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/**
 * Puts an exchange on the wire: REST and realtime on one port.
 * @throws PortBusyError when somebody listens there already
 * @throws ListenError when the address cannot be had for another reason
 */
export async function startExchangeServer(options: ExchangeServerOptions): Promise<ExchangeServer> {
  const { exchange, config, clock, random, logger, log = null } = options;
  const funnel = new CommandFunnel({ exchange, clock, log });
  const faults = new FaultDesk(config.faults, random);
  const hub = new Hub();
  const publisher = new Publisher({ exchange, hub, faults: new FrameFaults(faults, clock), logger });
  funnel.observe((events) => publisher.publish(events));
  const application = { key: config.appKey, secret: applicationSecret(config.appSecret) };
  const pusher = new PusherListener({
    hub,
    application,
    channelsMost: config.channelsPerConnection,
    clock,
    random: random.fork('socket ids'),
    logger,
  });
  const counts = () => ({
    realtime: { connections: pusher.size, cut: { ...pusher.cuts }, oversized: { ...publisher.counts } },
    commands: log?.lastSequence ?? null,
    snapshots: options.snapshots?.() ?? null,
  });
  const rateLimit = new RateLimit(config.rateLimit, options.usage?.load());
  const usage = options.usage === undefined ? null : new UsageKeeper(rateLimit, options.usage, clock);
  const listener = httpListener(options, { funnel, faults, application, counts, rateLimit });
  listener.server.on('upgrade', (request, socket, head) => pusher.upgrade(request, socket, head));
  const address = await listen(listener, config);
  pusher.start();
  funnel.start();
  usage?.start();
  return {
    ...addresses(address, config.appKey),
    oversized: publisher.counts,
    execute: (command) => funnel.execute(command),
    observe: (observer) => funnel.observe(observer),
    close: async () => {
      funnel.stop();
      pusher.close();
      await listener.close();
      usage?.stop();
    },
  };
}

interface ListenerNeeds {
  readonly funnel: CommandFunnel;
  readonly faults: FaultDesk;
  readonly application: PusherApplication;
  readonly counts: () => object;
  readonly rateLimit: RateLimit;
}

function httpListener(
  options: ExchangeServerOptions,
  { funnel, faults, application, counts, rateLimit }: ListenerNeeds,
): FastifyInstance {
  const { exchange, config, clock, logger, readers, participants = [] } = options;
  const bookCache = new BookCache(clock, config.bookCacheMs);
  const pipeline = new RequestPipeline({
    clock,
    funnel,
    faults,
    authentication: new Authentication(config.credentials, config.clockWindowS),
    rateLimit,
    nested: config.nested,
    handlers: endpointHandlers({ exchange, funnel, bookCache, application }),
  });
  const listener = createListener({ pipeline, clock, logger });
  const parts = { exchange, funnel, faults, readers, counts, participants };
  addAdminInterface(listener, config.adminToken, parts);
  if (config.adminToken !== '') options.addPage?.(listener);
  return listener;
}

const addresses = ({ host, port }: Address, key: string) => ({
  restUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
  realtime: { host, port, key },
  port,
});
