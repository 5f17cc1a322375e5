/**
 * The two bodies of the hot path, written once as the JSON that is sent and once as the text that is signed. The
 * general way (encode, `JSON.stringify`, {@link bodyParameters}) gives the same texts, as tests show, and takes
 * three times as long, which at 20 orders a batch is more than the signature itself.
 */
import type { LimitOrder, OrderReplacement } from '../../domain/orders.js';
import { formatPrice, formatShares } from '../decimals.js';
import { quotePlus } from '../python-text.js';
import type { NestedStyle } from '../signed-values.js';
import type { SignedParameter } from '../signing.js';
import { batch, wireExpiry, wireId, wirePrice, wireShares } from './orders.js';

/** One request body: the bytes to send, and its parameters for the signature. */
export interface BodyTexts {
  readonly json: string;
  readonly parameters: readonly SignedParameter[];
}

/** The texts of {@link encodeBatchCreate}. @throws InvariantError in the same cases */
export const batchCreateTexts = (orders: readonly LimitOrder[], nested: NestedStyle): BodyTexts =>
  bodyTexts(batch(orders), orderText, nested);

/** The texts of {@link encodeBatchUpdate}. @throws InvariantError in the same cases */
export const batchUpdateTexts = (replacements: readonly OrderReplacement[], nested: NestedStyle): BodyTexts =>
  bodyTexts(batch(replacements), replacementText, nested);

type ItemText<Item> = (item: Item, marks: Marks) => string;

function bodyTexts<Item>(items: readonly Item[], text: ItemText<Item>, nested: NestedStyle): BodyTexts {
  const json = `{"orders":${listText(items, text, JSON_MARKS)}}`;
  const marks = nested === 'python' ? PYTHON_MARKS : QUOTED_JSON_MARKS;
  return {
    json,
    parameters: nested === 'omit' ? [] : [['orders', listText(items, text, marks)]],
  };
}

function listText<Item>(items: readonly Item[], text: ItemText<Item>, marks: Marks): string {
  let list = marks.openList;
  for (let index = 0; index < items.length; index++) {
    if (index > 0) list += marks.separator;
    list += text(items[index]!, marks);
  }
  return list + marks.closeList;
}

const orderText = (order: LimitOrder, { order: mark, none, quote, escape }: Marks): string =>
  `${mark.market}${wireId(order.marketId, 'market')}${mark.event}${wireId(order.eventId, 'event')}` +
  `${mark.side}${order.side}${mark.currency}${order.currency}${mark.position}${order.position}` +
  `${mark.price}${formatPrice(wirePrice(order.price))}${mark.shares}${formatShares(wireShares(order.shares))}` +
  `${mark.expiry}${expiryText(order.expiresAt, none, quote, escape)}${mark.end}`;

const replacementText = (
  replacement: OrderReplacement,
  { replacement: mark, none, quote, escape }: Marks,
): string =>
  `${mark.id}${wireId(replacement.orderId, 'order')}` +
  `${mark.shares}${formatShares(wireShares(replacement.shares))}${mark.price}${formatPrice(wirePrice(replacement.price))}` +
  `${mark.expiry}${expiryText(replacement.expiresAt, none, quote, escape)}${mark.end}`;

function expiryText(
  time: LimitOrder['expiresAt'],
  none: string,
  quote: string,
  escape: (text: string) => string,
): string {
  const text = wireExpiry(time);
  return text === null ? none : `${quote}${escape(text)}${quote}`;
}

/** Everything between the values, in one spelling; `shares` and what follows close the quotes before them. */
type Marks = ReturnType<typeof marksOf>;

function marksOf(style: 'json' | 'python', escape: (text: string) => string) {
  const rawQuote = style === 'json' ? '"' : "'";
  const [colon, comma] = style === 'json' ? [':', ','] : [': ', ', '];
  const name = (text: string): string => `${rawQuote}${text}${rawQuote}${colon}`;
  const quote = escape(rawQuote);
  const first = (text: string): string => escape(`{${name(text)}`);
  const next = (text: string): string => escape(`${comma}${name(text)}`);
  return {
    openList: escape('['),
    closeList: escape(']'),
    separator: escape(comma),
    none: style === 'json' ? 'null' : 'None',
    quote,
    escape,
    order: {
      market: first('market'),
      event: next('event'),
      side: next('side') + quote,
      currency: quote + next('currency') + quote,
      position: quote + next('position') + quote,
      price: quote + next('price'),
      shares: next('shares') + quote,
      expiry: quote + next('expired_at'),
      end: escape('}'),
    },
    replacement: {
      id: first('id'),
      shares: next('shares') + quote,
      price: quote + next('price') + quote,
      expiry: quote + next('expired_at'),
      end: escape('}'),
    },
  };
}

const JSON_MARKS = marksOf('json', (text) => text);
const QUOTED_JSON_MARKS = marksOf('json', quotePlus);
const PYTHON_MARKS = marksOf('python', quotePlus);
