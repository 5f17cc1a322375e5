import type { ScenarioName } from '../../settings/index.js';
import { type Explained, explainOrder } from '../../runs/explain/explain.js';
import type { OrderLine, Asked, OrderStory, Pricing, Setting } from '../../runs/explain/order-story.js';
import type { OrderName } from '../../runs/explain/story-teller.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { PRICE_ONE, wholeShares } from '../../domain/units.js';
import { print, printJson, remark } from '../output.js';

export interface ExplainArguments {
  readonly scenario: ScenarioName;
  readonly json: boolean;
}

/** `oddsmith explain <run> [order]`: why an order stood where it did and what became of it; without one, all orders. */
export async function explainRun(
  path: string,
  order: OrderName | undefined,
  { scenario, json }: ExplainArguments,
): Promise<ExitCode> {
  if (order === undefined) return listOrders(path, scenario, json);
  const explained = await explainOrder(path, { order, scenario });
  warn(explained);
  const { story } = explained;
  if (story === null) throw new UsageError(`the run knows no such order; oddsmith explain ${path} lists all`);
  if (json) printJson(story);
  else print(...storyLines(story));
  return EXIT.clean;
}

/** An order is listed once the venue has named it, and at the end if it never did. */
async function listOrders(path: string, scenario: ScenarioName, json: boolean): Promise<ExitCode> {
  const unnamed = new Map<string, OrderLine>();
  let shown = 0;
  const show = (line: OrderLine): void => {
    if (shown === 0 && !json) print(ORDER_LINE_HEAD);
    shown += 1;
    if (json) printJson(line);
    else print(orderLineText(line));
  };
  const list = (line: OrderLine): void => {
    if (line.orderId === null) return void unnamed.set(line.name, line);
    unnamed.delete(line.name);
    show(line);
  };
  warn(await explainOrder(path, { order: null, scenario, list }));
  for (const line of unnamed.values()) show(line);
  if (shown === 0 && !json) print('no orders');
  return EXIT.clean;
}

function warn({ changed, gap }: Explained): void {
  if (gap !== null) remark(`lines are missing at ${gap}: behind it the story may be another one`);
  remark(...changed.map((file) => `not what it was when this ran: ${file}`));
}

/** The story of an order as a page of text. */

const instant = (at: number): string => new Date(at / 1_000).toISOString();
const probability = (p: number): string => p.toFixed(4);
const change = (p: number): string => `${p < 0 ? '-' : '+'}${Math.abs(p).toFixed(4)}`;
const row = (label: string, value: string): string => `  ${label.padEnd(14)}${value}`;
/** Below this a difference is the error of float arithmetic. */
const NOISE = 5e-7;

function storyLines(story: OrderStory): readonly string[] {
  const { orderId, asked, events } = story;
  return [
    orderId === null ? 'an order that the venue never named' : `order ${orderId}`,
    ...(asked === null ? ['  none of the requests of this run asked for it'] : askedLines(asked)),
    '',
    'what happened',
    ...events.map(({ at, seq, text }) => row(offset(at, asked?.at ?? at), `${text}   (input ${seq})`)),
  ];
}

/** What {@link orderLineText} puts below each other. */
const ORDER_LINE_HEAD = orderColumns('asked for', 'request', 'order', 'what');

/** `2026-...  12.0  7541  market 2003  bid 6.87 short at 0.82` */
const orderLineText = ({ at, name, orderId, ...order }: OrderLine): string =>
  orderColumns(instant(at), name, String(orderId ?? '-'), orderText(order));

function orderColumns(at: string, name: string, orderId: string, what: string): string {
  return `${at.padEnd(24)}  ${name.padEnd(9)}${orderId.padStart(9)}  ${what}`;
}

const orderText = ({
  marketId,
  orderSide,
  position,
  price,
  shares,
}: Pick<OrderLine, 'marketId' | 'orderSide' | 'position' | 'price' | 'shares'>): string =>
  `market ${marketId}  ${orderSide} ${wholeShares(shares)} ${position} at ${price / PRICE_ONE}`;

function askedLines(asked: Asked): readonly string[] {
  const { orderSide, shares, position, price, marketId, replaces, requestId, item } = asked;
  const instead = replaces === null ? '' : `, in the place of order ${replaces}`;
  return [
    `  ${orderSide} ${wholeShares(shares)} ${position} at ${price / PRICE_ONE} in market ${marketId}${instead}`,
    `  asked for at ${instant(asked.at)} on input ${asked.seq} (${asked.input}), as item ${item} of request ${requestId}`,
    ...(asked.setting === null ? [] : ['', ...settingLines(asked.setting)]),
    '',
    ...(asked.pricing === null
      ? ['  no quote of the strategy explains its price']
      : pricingLines(asked.pricing, asked)),
  ];
}

function settingLines(setting: Setting): readonly string[] {
  const { inventory, fair, hidden } = setting;
  const side = (levels: Setting['bids'], isHidden: boolean): string =>
    (levels.length === 0
      ? 'nothing of others'
      : levels.map(({ price, shares }) => `${price} x${shares}`).join('  ')) +
    (isHidden ? '  (hidden behind our own)' : '');
  return [
    'what the strategy saw',
    row('instance', `${setting.instance} (${setting.strategy})`),
    row(
      'parameters',
      Object.entries(setting.parameters)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
    ),
    row('bids', side(setting.bids, hidden.bids)),
    row('asks', side(setting.asks, hidden.asks)),
    row('book age', `${Math.round(setting.bookAgeMs)} ms`),
    row('fair', fair === null ? 'unknown' : fairText(fair)),
    ...Object.entries(setting.signals).map(([name, signal]) =>
      row('signal', `${name} ${signalText(signal)}`),
    ),
    row(
      'inventory',
      `long ${inventory.long}, short ${inventory.short}, net ${inventory.net}; cash free ${inventory.cashFree}`,
    ),
    row('own quotes', String(setting.working)),
  ];
}

const fairText = ({ p, ageMs, source }: NonNullable<Setting['fair']>): string =>
  `${probability(p)}${source === undefined ? '' : ` of ${source}`}, ${Math.round(ageMs)} ms old`;

function signalText(signal: Setting['signals'][string] | undefined): string {
  if (signal === null || signal === undefined) return 'has no value';
  const { value, ageMs, confidence, count } = signal;
  const trust = `confidence ${confidence.toFixed(2)} of ${count} observation${count === 1 ? '' : 's'}`;
  return `${Number(value.toPrecision(4))}, ${Math.round(ageMs)} ms old, ${trust}`;
}

function pricingLines(pricing: Pricing, asked: Asked): readonly string[] {
  const { steps, wanted, rounding, moved, longPrice, side, refusals } = pricing;
  const complement = asked.position === 'short';
  return [
    `how its price came about (${side === 'ask' ? 'an ask' : 'a bid'} of the book, in probabilities of long)`,
    ...steps.map(({ label, value }, index) =>
      row(label, index === 0 ? ` ${probability(value)}` : change(value)),
    ),
    row('wanted', ` ${probability(wanted)}`),
    row('rounding', `${change(rounding)}  to the tick, away from the market`),
    ...(Math.abs(moved) < NOISE
      ? []
      : [
          row(
            'moved',
            `${change(moved)}  behind the best price of the other side, which it would have taken`,
          ),
        ]),
    row('risk', 'no rule objected'),
    ...refusals.map((text) => row('', `refused beside it: ${text}`)),
    row(
      'price',
      ` ${probability(longPrice)}${complement ? ` of long, that is ${asked.price / PRICE_ONE} of short` : ''}`,
    ),
  ];
}

const offset = (at: number, from: number): string => `+${((at - from) / 1_000_000).toFixed(3)} s`;
