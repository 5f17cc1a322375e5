/** The bundled exchange behind a network of virtual time: everything it is made of but the sockets. */
import { exchangeConfigOf, exchangeServerConfigOf } from '../../../src/runs/exchange/exchange.js';
import { participantsOf } from '../../../src/runs/exchange/participants.js';
import type { Command, ExchangeEvent, OutcomeOf } from '../../../src/exchange/contract.js';
import type { Exchange } from '../../../src/exchange/exchange.js';
import { Stage } from '../../../src/exchange/participants/index.js';
import type { Clock } from '../../../src/core/ports/clock.js';
import type { Random } from '../../../src/core/ports/random.js';
import type { EndpointName } from '../../../src/venues/futuur/protocol/rest/endpoints.js';
import { applicationSecret } from '../../../src/venues/futuur/protocol/signing.js';
import { CommandFunnel } from '../../../src/exchange-server/command-funnel.js';
import { Authentication } from '../../../src/exchange-server/http/authentication.js';
import { BookCache } from '../../../src/exchange-server/http/book-cache.js';
import { endpointHandlers } from '../../../src/exchange-server/http/endpoints/index.js';
import {
  RequestPipeline,
  type Served,
  type WireRequest,
} from '../../../src/exchange-server/http/pipeline.js';
import { RateLimit } from '../../../src/exchange-server/http/rate-limit.js';
import type { ExchangeSettings } from '../../../src/settings/index.js';
import { FrameFaults } from '../../../src/exchange-server/faults/request-faults.js';
import { TalliedFaults } from './tallied-faults.js';
import type { VenueMemory } from './venue-memory.js';

export interface VirtualVenueOptions {
  readonly settings: ExchangeSettings;
  /** What its traders take it for. */
  readonly opinion: ExchangeSettings;
  /** Participants' recordings are found from its folder. */
  readonly file: string;
  readonly clock: Clock;
  readonly random: Random;
  /** What it writes down, and what one before it did. */
  readonly memory: VenueMemory;
  /** How often each of its faults struck. */
  readonly struck: Map<string, number>;
  /** Told of everything the exchange says. */
  readonly onEvents: (events: readonly ExchangeEvent[]) => void;
}

export class VirtualVenue {
  readonly exchange: Exchange;
  readonly faults: TalliedFaults;
  readonly frameFaults: FrameFaults;
  readonly #funnel: CommandFunnel;
  readonly #pipeline: RequestPipeline;
  readonly #stage: Stage;

  constructor({ settings, opinion, file, clock, random, memory, struck, onEvents }: VirtualVenueOptions) {
    const exchange = memory.recall(exchangeConfigOf(settings));
    const config = exchangeServerConfigOf(settings, 'secret');
    const funnel = new CommandFunnel({ exchange, clock, log: memory.log });
    const faults = new TalliedFaults(random, struck);
    this.frameFaults = new FrameFaults(faults, clock);
    const bookCache = new BookCache(clock, config.bookCacheMs);
    const application = { key: config.appKey, secret: applicationSecret(config.appSecret) };
    this.exchange = exchange;
    this.faults = faults;
    this.#funnel = funnel;
    this.#pipeline = new RequestPipeline({
      clock,
      funnel,
      faults,
      authentication: new Authentication(config.credentials, config.clockWindowS),
      rateLimit: new RateLimit(config.rateLimit),
      nested: config.nested,
      handlers: endpointHandlers({ exchange, funnel, bookCache, application }),
    });
    const participants = participantsOf({ exchange: opinion, file, random, start: clock.now() });
    const execute = (command: Command): void => void funnel.execute(command);
    this.#stage = new Stage({ participants, exchange, clock, execute });
    funnel.observe(onEvents);
    funnel.observe((events) => this.#stage.observe(events));
  }

  open(): void {
    this.#funnel.start();
    this.#stage.start();
  }

  /** Nothing happens by itself any more. */
  close(): void {
    this.#stage.stop();
    this.#funnel.stop();
  }

  serve(endpoint: EndpointName, request: WireRequest): Served {
    return this.#pipeline.serve(endpoint, request);
  }

  execute<C extends Command>(command: C): OutcomeOf[C['kind']] {
    return this.#funnel.execute(command);
  }
}
