/** Bodies of the admin interface. Events and markets are read as the configuration file is, by whoever loads that. */
import { type TObjectOptions, type TProperties, Type } from 'typebox';
import { CURRENCIES, EVENT_STATUSES, MARKET_STATUSES, RESOLUTIONS } from '../../domain/vocabulary.js';
import type { EventConfig, MarketConfig } from '../../exchange/contract.js';
import { FRAME_FAULTS, REQUEST_FAULTS } from '../../venues/simulated/models/faults.js';
import { shape } from '../../venues/futuur/protocol/shape.js';
import { Decimal, Id, maybe, Time } from '../../venues/futuur/protocol/wire-types.js';
import type { InputReading } from '../http/order-input.js';

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
