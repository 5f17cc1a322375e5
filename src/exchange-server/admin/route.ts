import { type TObjectOptions, type TProperties, Type } from 'typebox';
import type { AdminOutcome, Command, EventConfig, MarketConfig } from '../../exchange/contract.js';
import type { ExchangeCore } from '../../exchange/exchange.js';
import { type Pair, shape, Decimal, Id, maybe, Time } from '../../venues/futuur/protocol/shape.js';
import type { CommandFunnel } from '../command-funnel.js';
import type { FaultDesk } from '../faults/request-faults.js';
import { type Answer, answered, refused, refusedFields } from '../http/answer.js';
import type { InputReading } from '../http/order-input.js';
import { CURRENCIES, EVENT_STATUSES, MARKET_STATUSES, RESOLUTIONS } from '../../domain/vocabulary.js';
import { FRAME_FAULTS, REQUEST_FAULTS } from '../../venues/simulated/models/faults.js';

/** An administrator's request after authentication. */
export interface AdminRequest {
  /** Number in the path; 0 where the path has none. */
  readonly id: number;
  readonly body: unknown;
  readonly pairs: readonly Pair[];
}

export interface AdminRoute {
  readonly method: 'GET' | 'POST';
  /** `:id` stands for an integer. */
  readonly path: `/admin/${string}/`;
  readonly handle: (request: AdminRequest) => Answer;
}

/** What the admin interface works with. */
export interface AdminParts {
  readonly exchange: ExchangeCore;
  readonly funnel: CommandFunnel;
  readonly faults: FaultDesk;
  readonly readers: AdminReaders;
  /** What the exchange has counted since it started, as `GET /admin/counts/` shows it. */
  readonly counts: () => object;
  readonly participants: readonly object[];
}

/** Commands that answer an administrator. */
export type AdminCommand = Extract<
  Command,
  {
    readonly kind:
      | 'add-event'
      | 'add-market'
      | 'set-event-status'
      | 'set-market-status'
      | 'resolve-event'
      | 'reverse-event'
      | 'set-live'
      | 'deposit'
      | 'post-comment'
      | 'send-test-event';
  }
>;

/** A route that reads a body into a command and executes it. */
export const commanding = (
  parts: AdminParts,
  path: AdminRoute['path'],
  read: (request: AdminRequest) => InputReading<AdminCommand>,
): AdminRoute => ({
  method: 'POST',
  path,
  handle: (request) => {
    const reading = read(request);
    return reading.ok ? answerOutcome(parts.funnel.execute(reading.value)) : refusedFields(reading.fields);
  },
});

/** Makes something of what a reader accepts. */
export const made = <Read, Value>(
  reading: InputReading<Read>,
  make: (value: Read) => Value,
): InputReading<Value> => (reading.ok ? { ok: true, value: make(reading.value) } : reading);

function answerOutcome(outcome: AdminOutcome): Answer {
  if (outcome.ok) return answered({});
  if (outcome.why === 'not-found') return refused('NotFound', outcome.detail);
  return refusedFields({ [outcome.field]: [outcome.detail] });
}

/** Bodies of the admin interface. Events and markets are read as the configuration file is, by whoever loads that. */

/** Reads what the configuration file also states; the keys are the file's. */
export interface AdminReaders {
  readonly event: (input: unknown) => InputReading<EventConfig>;
  readonly market: (input: unknown) => InputReading<MarketConfig>;
}

/** An object of these members and no others, so that a name that is misspelt is not a wish that is ignored. */
const only = <Members extends TProperties>(members: Members, options: TObjectOptions = {}) =>
  Type.Object(members, { additionalProperties: false, ...options });

export const eventStatusBody = shape(only({ status: Type.Enum(EVENT_STATUSES) }));

export const marketStatusBody = shape(
  only(
    {
      status: Type.Optional(Type.Enum(MARKET_STATUSES)),
      disabled: Type.Optional(Type.Boolean()),
      betEndDate: maybe(Time),
    },
    { minProperties: 1 },
  ),
);

const MARKET_ID = '^\\d{1,15}$';
export const resolveBody = shape(
  only({
    resolutions: Type.Record(Type.String({ pattern: MARKET_ID }), Type.Enum(RESOLUTIONS), {
      additionalProperties: false,
    }),
  }),
);

export const liveBody = shape(
  only({ isLive: Type.Boolean(), extraData: maybe(Type.Record(Type.String(), Type.Unknown())) }),
);

export const depositBody = shape(only({ currency: Type.Enum(CURRENCIES), amount: Decimal }));

const COMMENT_LENGTH = 4_000;
export const commentBody = shape(
  only({ user: Id, content: Type.String({ minLength: 1, maxLength: COMMENT_LENGTH }) }),
);

export const faultsBody = shape(
  only({
    seed: Type.Optional(Id),
    rules: Type.Array(
      only({
        on: Type.String({ maxLength: 255 }),
        kind: Type.Enum([...REQUEST_FAULTS, ...FRAME_FAULTS]),
        probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        nth: Type.Optional(Type.Integer({ minimum: 1 })),
        ms: Type.Optional(Type.Number()),
      }),
      { maxItems: 1_000 },
    ),
  }),
);
