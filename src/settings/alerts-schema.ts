/** The schema of the section `alerts` of a bot's file: what is told, and to whom. */
import { z } from 'zod';
import { amountScalar, boundedMsScalar, countScalar, hostScalar, portScalar } from './scalars.js';

const DAY_MS = 86_400_000;
const DAYTIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const cooldownMs = (usual: number) =>
  boundedMsScalar(0, DAY_MS).default(usual).describe('the rule is told again only after this long');
const forMs = (usual: number) =>
  boundedMsScalar(0, DAY_MS).default(usual).describe('told once it has lasted so long');

const FIVE_MINUTES = 300_000;
/** Of rules that tell of something rare. */
const AT_ONCE = cooldownMs(0);
const SELDOM = cooldownMs(FIVE_MINUTES);

const standing = (forUsual: number, meaning: string) =>
  z
    .strictObject({ forMs: forMs(forUsual), cooldownMs: SELDOM })
    .nullable()
    .prefault({})
    .describe(meaning);

const atOnce = (meaning: string) =>
  z.strictObject({ cooldownMs: AT_ONCE }).nullable().prefault({}).describe(meaning);

const amount = (meaning: string) =>
  z
    .strictObject({ above: amountScalar.describe('in the currency of the run'), cooldownMs: SELDOM })
    .nullable()
    .default(null)
    .describe(meaning);

/** Every rule; null: nobody is told. */
const rulesSchema = z
  .strictObject({
    fill: amount('a fill of more than this; several within the cool-down are told together; null: not told'),
    loss: amount('the run has lost more than this; null: not told'),
    drawdown: amount('the run has lost more than this since its best moment; null: not told'),
    limit: standing(60_000, 'a limit of the file, or a rule of the venue, keeps orders back'),
    cash: standing(60_000, 'quotes would lock more cash than is there'),
    kill: atOnce('the kill switch is latched'),
    feed: standing(10_000, 'the realtime connection is lost'),
    book: standing(60_000, 'the book of a quoted market cannot be relied on'),
    difference: z
      .strictObject({ cooldownMs: SELDOM })
      .nullable()
      .prefault({})
      .describe('an order, a holding or the cash was not as the venue says'),
    doubt: standing(
      30_000,
      'the answer to an order was lost, and the venue has not settled what became of it',
    ),
    paced: standing(
      30_000,
      'quotes move less than wanted, or not at all: ordersPerMinute, requests turned away or used up',
    ),
    strategy: atOnce('a strategy was stopped'),
    alarm: atOnce('an alarm stands: keys refused, journal, connection or orders refused'),
    disk: z
      .strictObject({
        belowMiB: countScalar(1, 1_000_000_000)
          .default(512)
          .describe('free space of the disk of stateDir, in MiB'),
        cooldownMs: SELDOM,
      })
      .nullable()
      .prefault({})
      .describe('the disk is nearly full'),
    clock: z
      .strictObject({
        aboveMs: boundedMsScalar(1, DAY_MS).default(1_000).describe('difference to the clock of the venue'),
        cooldownMs: SELDOM,
      })
      .nullable()
      .prefault({})
      .describe('the clock of the machine is wrong'),
    end: z.boolean().default(true).describe('whether it is told that the run ended, and not clean'),
    summary: z
      .strictObject({
        at: z
          .string()
          .regex(DAYTIME, 'expected a time of day in UTC, such as "07:30"')
          .default('00:00')
          .describe('time of day, UTC'),
      })
      .nullable()
      .default(null)
      .describe('once a day: profit, fills, balance, what stands; null: not told'),
  })
  .prefault({});

export type AlertRules = z.output<typeof rulesSchema>;
export type RuleName = keyof AlertRules;
const RULES = Object.keys(rulesSchema.unwrap().shape) as [RuleName, ...RuleName[]];

const common = {
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'expected a kebab-case name')
    .describe('name in logs and metrics, in kebab-case'),
  rules: z.array(z.enum(RULES)).min(1).nullable().default(null).describe('told of these alone; null: of all'),
};

const kind = <Word extends string>(word: Word, meaning: string) => z.literal(word).describe(meaning);

/** An address is a secret: who knows it can write there. Messages never repeat it. */
const secretUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' });
const address = z.email().meta({ title: 'e-mail' });
const secretText = z.string().min(1);

const receiverSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: kind('webhook', 'POST of a JSON object'),
    ...common,
    url: secretUrl.describe('address; must be ${NAME}'),
    token: secretText.nullable().default(null).describe('sent as `Authorization: Bearer`; must be ${NAME}'),
  }),
  z.strictObject({
    kind: kind('slack', 'an incoming webhook of Slack'),
    ...common,
    url: secretUrl.describe('address of the webhook; must be ${NAME}'),
  }),
  z.strictObject({
    kind: kind('discord', 'a webhook of Discord'),
    ...common,
    url: secretUrl.describe('address of the webhook; must be ${NAME}'),
  }),
  z.strictObject({
    kind: kind('telegram', 'a bot of Telegram'),
    ...common,
    token: secretText.describe('token of the bot; must be ${NAME}'),
    chat: z
      .union([z.string().min(1), z.number()])
      .meta({ title: 'id' })
      .describe('id of the chat'),
    api: z
      .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
      .default('https://api.telegram.org')
      .describe('address of the service'),
  }),
  z.strictObject({
    kind: kind('email', 'a mail over SMTP'),
    ...common,
    host: hostScalar.describe('mail server'),
    port: portScalar.default(587).describe('its port'),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .default('starttls')
      .describe('starttls and implicit send nothing unencrypted; none: for a mail server of this machine'),
    user: z.string().min(1).nullable().default(null).describe('user name; null: no sign-in'),
    password: secretText.nullable().default(null).describe('password; must be ${NAME}'),
    from: address.describe('sender'),
    to: z.array(address).min(1, 'expected at least one address').describe('recipients'),
  }),
  z.strictObject({
    kind: kind('desktop', 'a notification on this machine: notify-send on Linux, osascript on macOS'),
    ...common,
  }),
]);

export const alertsSchema = z
  .strictObject({
    receivers: z.array(receiverSchema).default([]).describe('who is told; empty: nobody'),
    rules: rulesSchema.describe('what is told; null: not that'),
  })
  .prefault({});

export type AlertSettings = z.output<typeof alertsSchema>;
export type ReceiverSettings = AlertSettings['receivers'][number];

/** Members of a receiver that nobody may read, by the variable that a message suggests. */
export const RECEIVER_SECRETS = {
  url: 'ALERT_URL',
  token: 'ALERT_TOKEN',
  password: 'SMTP_PASSWORD',
} as const;

/** A secret of a receiver, with its place in the file. */
export const receiverSecretsOf = ({ receivers }: AlertSettings) =>
  receivers.flatMap((receiver, at) =>
    Object.entries(RECEIVER_SECRETS).flatMap(([key, name]) => {
      const value = (receiver as Readonly<Record<string, unknown>>)[key];
      const noun = key === 'url' ? 'the address of a receiver' : `a ${key}`;
      return typeof value === 'string' ? [{ path: ['alerts', 'receivers', at, key], noun, name, value }] : [];
    }),
  );
