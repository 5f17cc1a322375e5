/**
 * The two bodies of the hot path, written once as the JSON that is sent and once as the text that is signed. The
 * general way (encode, `JSON.stringify`, {@link bodyParameters}) gives the same texts, as tests show, and takes
 * three times as long, which at 20 orders a batch is more than the signature itself.
 */
import type { LimitOrder, OrderPlace, OrderReplacement } from '../../domain/orders.js';
import type { Micros, PriceUnits } from '../../domain/units.js';
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
export function batchCreateTexts(orders: readonly LimitOrder[], nested: NestedStyle): BodyTexts {
  const created = batch(orders);
  return bodyTexts(({ marks }) => createsText(created, marks), nested);
}

/** The texts of {@link encodeBatchUpdate}. @throws InvariantError in the same cases */
export function batchUpdateTexts(replacements: readonly OrderReplacement[], nested: NestedStyle): BodyTexts {
  const ids = batch(replacements).map(({ orderId }) => String(wireId(orderId, 'order')));
  return bodyTexts(({ updates }) => updates.text(replacements, ids), nested);
}

function bodyTexts(textIn: (style: Style) => string, nested: NestedStyle): BodyTexts {
  const json = `{"orders":${textIn(JSON_STYLE)}}`;
  if (nested === 'omit') return { json, parameters: [] };
  return { json, parameters: [['orders', textIn(nested === 'python' ? PYTHON_STYLE : QUOTED_JSON_STYLE)]] };
}

// Every piece of a text leaves an object behind, through which whoever reads it first has to go. What lies between the
// own values of two neighbours is mostly the same throughout a batch, so it is put together once.

function createsText(orders: readonly LimitOrder[], marks: Marks): string {
  let [text, start, end, joint] = ['', '', '', marks.openList];
  let before: LimitOrder | null = null;
  for (const order of orders) {
    const isPlaceNew = before === null || !isSamePlace(before, order);
    const areTermsNew = before === null || !areSameTerms(before, order);
    if (isPlaceNew) {
      start = placeText(order, marks);
      joint = before === null ? marks.openList + start : whole(end, marks.separator, start);
    }
    text += joint + formatPrice(wirePrice(order.price));
    if (areTermsNew) end = termsText(order, marks);
    if (isPlaceNew || areTermsNew) joint = whole(end, marks.separator, start);
    before = order;
  }
  return text + end + marks.closeList;
}

function placeText(order: OrderPlace, { order: mark }: Marks): string {
  const { side, currency, position } = order;
  const market = mark.market + String(wireId(order.marketId, 'market'));
  const event = mark.event + String(wireId(order.eventId, 'event'));
  return `${market}${event}${mark.side}${side}${mark.currency}${currency}${mark.position}${position}${mark.price}`;
}

const termsText = ({ shares, expiresAt }: Terms, marks: Marks): string =>
  marks.order.shares +
  formatShares(wireShares(shares)) +
  marks.order.expiry +
  expiryText(wireExpiry(expiresAt), marks) +
  marks.order.end;

/** Updates in one spelling. It remembers as text what they last had in common: not only neighbours share it. */
class UpdatesWriter {
  readonly #marks: Marks;
  #shares = Number.NaN;
  #expiresAt: Micros | null = null;
  /** From an id to its price. */
  #middle = '';
  /** From a price to the end of its item, and to the next id. */
  #end = '';
  #joint = '';
  /** From an id to the next one, by price: all that is put between ids while nothing else changes. */
  readonly #between = new Map<PriceUnits, string>();

  constructor(marks: Marks) {
    this.#marks = marks;
  }

  /** @param ids of the orders to be replaced, as text */
  text(replacements: readonly OrderReplacement[], ids: readonly string[]): string {
    const { openList, replacement, closeList } = this.#marks;
    const last = replacements.length - 1;
    let isLasting = this.#isAsBefore(replacements[0]!);
    let text = openList + replacement.id;
    for (let index = 0; index < last; index++) {
      const item = replacements[index]!;
      if (!this.#isAsBefore(item)) {
        this.#learn(item);
        isLasting = false;
      }
      text += ids[index]!;
      text += isLasting ? this.#lasting(item.price) : this.#middle + priceText(item.price) + this.#joint;
    }
    const item = replacements[last]!;
    if (!this.#isAsBefore(item)) this.#learn(item);
    return text + ids[last]! + this.#middle + priceText(item.price) + this.#end + closeList;
  }

  #isAsBefore({ shares, expiresAt }: Terms): boolean {
    return shares === this.#shares && expiresAt === this.#expiresAt;
  }

  /** Worth making only of terms that have outlasted a batch. */
  #lasting(price: PriceUnits): string {
    const known = this.#between.get(price);
    if (known !== undefined) return known;
    const text = whole(this.#middle, priceText(price), this.#joint);
    this.#between.set(price, text);
    return text;
  }

  #learn({ shares, expiresAt }: Terms): void {
    const { replacement: mark, separator } = this.#marks;
    const middle = whole(mark.shares, formatShares(wireShares(shares)), mark.price);
    const end = whole(mark.expiry, expiryText(wireExpiry(expiresAt), this.#marks), mark.end);
    this.#joint = whole(end, separator, mark.id);
    this.#end = end;
    this.#middle = middle;
    this.#shares = shares;
    this.#expiresAt = expiresAt;
    this.#between.clear();
  }
}

const priceText = (price: PriceUnits): string => formatPrice(wirePrice(price));

/** One piece, which added strings are not before somebody reads them. */
const whole = (...pieces: readonly string[]): string => pieces.join('');

const isSamePlace = (before: OrderPlace, now: OrderPlace): boolean =>
  before.marketId === now.marketId &&
  before.side === now.side &&
  before.position === now.position &&
  before.eventId === now.eventId &&
  before.currency === now.currency;

type Terms = Pick<LimitOrder, 'shares' | 'expiresAt'>;

const areSameTerms = (before: Terms, now: Terms): boolean =>
  before.shares === now.shares && before.expiresAt === now.expiresAt;

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

interface Style {
  readonly marks: Marks;
  readonly updates: UpdatesWriter;
}

const styleOf = (marks: Marks): Style => ({ marks, updates: new UpdatesWriter(marks) });

const JSON_STYLE = styleOf(marksOf('json', (text) => text));
const QUOTED_JSON_STYLE = styleOf(marksOf('json', quotePlus));
const PYTHON_STYLE = styleOf(marksOf('python', quotePlus));
