import * as listed from '../../../../src/exchange/contract/ids.js';
import type { BotSettings, ExchangeSettings } from '../../../../src/settings/index.js';
import type { Charter } from '../auditor/rule.js';
import type { Story } from './happening.js';
import { MAKER } from '../world.js';

/** With a drift of 200 ppm. */
const SLOWEST = 0.9998;
const DRIFT_PPM = 200;
const MICROS_PER_MS = 1_000;
/** The bot learns of it from its answers: what is less than two seconds not at all. */
const UNNOTICED_MS = 2_500;
/** Answers state whole seconds. */
const INEXACT_MS = 1_000;

const isRight = (clock: Story['clock'], happenings: Story['happenings']): boolean =>
  clock.aheadMs === 0 && happenings.every(({ happening }) => happening.kind !== 'clock-set');

/** By how much dates come late and early at worst, over all of the story. */
function errorsOf({ clock, happenings, troubleMs, turnedAwayMs, quietMs }: Story) {
  let now = clock.aheadMs;
  let [ahead, behind] = [Math.max(0, now), Math.max(0, -now)];
  for (const { happening } of happenings) {
    if (happening.kind !== 'clock-set') continue;
    now += happening.byMs;
    [ahead, behind] = [Math.max(ahead, now), Math.max(behind, -now)];
  }
  const drift = ((troubleMs + turnedAwayMs + quietMs) * DRIFT_PPM) / 1e6;
  const inexact = isRight(clock, happenings) ? 0 : INEXACT_MS;
  const worst = (error: number): number => (Math.min(error + drift, UNNOTICED_MS) + inexact) * MICROS_PER_MS;
  return { ahead: worst(ahead), behind: worst(behind) };
}

/** By the word of both where the configuration has one: of two that differ the worse is gone by. */
const isExclusive = ({ id, resolutionMode }: BotSettings['events'][number], { events }: ExchangeSettings) =>
  resolutionMode !== 'non_exclusive' &&
  events.find((one) => String(one.id) === id)?.resolutionMode === 'exclusive';

/** What issue and configuration promise of a house; the auditor knows nothing else of it. */
export function charterOf(bot: BotSettings, exchange: ExchangeSettings, story: Story): Charter {
  const { taker, maker } = exchange.fees[bot.currencyMode];
  return {
    account: MAKER,
    currency: bot.currency,
    replayMaxAgeMs: 5_000,
    privateFrameMs: 5_000,
    slowestClock: SLOWEST,
    ...errorsOf(story),
    outBefore: bot.quoting.preCloseMs * MICROS_PER_MS,
    fee: Math.max(taker, maker, 0),
    restingFee: Math.max(maker, 0),
    ordersPerMinute: bot.instances.reduce((sum, { limits }) => sum + limits.ordersPerMinute, 0),
    quoteLifetimeMs: 2_000,
    events: bot.events.map((event) => {
      const markets = event.markets.map(({ id }) => id);
      const owner = bot.instances.find((instance) => instance.markets.some((id) => markets.includes(id)))!;
      return {
        event: listed.eventId(event.id),
        isExclusiveScope: event.markets[0]?.ownership === 'exclusive',
        isExclusiveOutcome: isExclusive(event, exchange),
        isExhaustive: event.exhaustive,
        areCoherent: owner.limits.coherentQuotes,
        markets: markets.map((id) => listed.marketId(id)),
        maxPositionShares: owner.limits.maxPositionShares,
        maxEventLoss: owner.limits.maxEventLoss,
        windows: event.informationWindows,
      };
    }),
  };
}
