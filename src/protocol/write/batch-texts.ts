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
  bodyTexts(batch(orders), orderValues, orderText, nested);

/** The texts of {@link encodeBatchUpdate}. @throws InvariantError in the same cases */
export const batchUpdateTexts = (replacements: readonly OrderReplacement[], nested: NestedStyle): BodyTexts =>
  bodyTexts(batch(replacements), replacementValues, replacementText, nested);

/** Spells the values of an item once, then writes each text around them. */
function bodyTexts<Item, Values>(
  items: readonly Item[],
  valuesOf: (item: Item) => Values,
  text: (values: Values, marks: Marks) => string,
  nested: NestedStyle,
): BodyTexts {
  const marks = nested === 'omit' ? null : nested === 'python' ? PYTHON_MARKS : QUOTED_JSON_MARKS;
  let [json, signed] = ['', ''];
  for (let index = 0; index < items.length; index++) {
    const values = valuesOf(items[index]!);
    json += (index > 0 ? JSON_MARKS.separator : JSON_MARKS.openList) + text(values, JSON_MARKS);
    if (marks !== null) signed += (index > 0 ? marks.separator : marks.openList) + text(values, marks);
  }
  return {
    json: `{"orders":${json}${JSON_MARKS.closeList}}`,
    parameters: marks === null ? [] : [['orders', signed + marks.closeList]],
  };
}

const orderValues = (order: LimitOrder) => ({
  market: String(wireId(order.marketId, 'market')),
  event: String(wireId(order.eventId, 'event')),
  side: order.side,
  currency: order.currency,
  position: order.position,
  price: formatPrice(wirePrice(order.price)),
  shares: formatShares(wireShares(order.shares)),
  expiry: wireExpiry(order.expiresAt),
});

const orderText = (values: ReturnType<typeof orderValues>, marks: Marks): string => {
  const { order: mark } = marks;
  return (
    `${mark.market}${values.market}${mark.event}${values.event}${mark.side}${values.side}` +
    `${mark.currency}${values.currency}${mark.position}${values.position}${mark.price}${values.price}` +
    `${mark.shares}${values.shares}${mark.expiry}${expiryText(values.expiry, marks)}${mark.end}`
  );
};

const replacementValues = (replacement: OrderReplacement) => ({
  id: String(wireId(replacement.orderId, 'order')),
  shares: formatShares(wireShares(replacement.shares)),
  price: formatPrice(wirePrice(replacement.price)),
  expiry: wireExpiry(replacement.expiresAt),
});

const replacementText = (values: ReturnType<typeof replacementValues>, marks: Marks): string => {
  const { replacement: mark } = marks;
  return (
    `${mark.id}${values.id}${mark.shares}${values.shares}${mark.price}${values.price}` +
    `${mark.expiry}${expiryText(values.expiry, marks)}${mark.end}`
  );
};

const expiryText = (text: string | null, { none, quote, escape }: Marks): string =>
  text === null ? none : `${quote}${escape(text)}${quote}`;

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
