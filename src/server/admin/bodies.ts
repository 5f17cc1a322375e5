/** Bodies of the admin interface. Events and markets are read as the configuration file is, by whoever loads that. */
import { Type } from 'typebox';
import { CURRENCIES, EVENT_STATUSES, MARKET_STATUSES, RESOLUTIONS } from '../../domain/vocabulary.js';
import type { EventConfig, MarketConfig } from '../../exchange/contract.js';
import { FRAME_FAULTS, REQUEST_FAULTS } from '../../fills/faults.js';
import { shape } from '../../protocol/shape.js';
import { DecimalText, Id, maybe, Time } from '../../protocol/wire-types.js';
import type { InputReading } from '../http/order-input.js';

/** Reads what the configuration file also states; the keys are the file's. */
export interface AdminReaders {
  readonly event: (input: unknown) => InputReading<EventConfig>;
  readonly market: (input: unknown) => InputReading<MarketConfig>;
}

export const eventStatusBody = shape(Type.Object({ status: Type.Enum(EVENT_STATUSES) }));

export const marketStatusBody = shape(
  Type.Object({
    status: Type.Optional(Type.Enum(MARKET_STATUSES)),
    disabled: Type.Optional(Type.Boolean()),
    betEndDate: maybe(Time),
  }),
);

export const resolveBody = shape(
  Type.Object({ resolutions: Type.Record(Type.String({ pattern: '^\\d{1,15}$' }), Type.Enum(RESOLUTIONS)) }),
);

export const liveBody = shape(
  Type.Object({ isLive: Type.Boolean(), extraData: maybe(Type.Record(Type.String(), Type.Unknown())) }),
);

export const depositBody = shape(Type.Object({ currency: Type.Enum(CURRENCIES), amount: DecimalText }));

const COMMENT_LENGTH = 4_000;
export const commentBody = shape(
  Type.Object({ user: Id, content: Type.String({ minLength: 1, maxLength: COMMENT_LENGTH }) }),
);

export const faultsBody = shape(
  Type.Object({
    seed: Type.Optional(Id),
    rules: Type.Array(
      Type.Object({
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
