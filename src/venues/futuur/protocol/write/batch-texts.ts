/**
 * The two bodies of the hot path, written once as the JSON that is sent and once as the text that is signed. The
 * general way (encode, `JSON.stringify`, {@link bodyParameters}) gives the same texts, as tests show, and takes
 * three times as long, which at 20 orders a batch is more than the signature itself.
 */
import {
  type LimitOrder,
  type OrderPlace,
  type OrderReplacement,
  type Said,
  saysExpiry,
  saysShares,
} from '../../../../domain/orders.js';
import type { Micros, PriceUnits } from '../../../../domain/units.js';
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
  const signed = SIGNED_MARKS[nested];
  return {
    json: OPEN_BODY + createsText(created, JSON_MARKS) + CLOSE_BODY,
    parameters: signed === null ? [] : [['orders', createsText(created, signed)]],
  };
}

/** The texts of {@link encodeBatchUpdate}. @throws InvariantError in the same cases */
export const batchUpdateTexts = (replacements: readonly OrderReplacement[], nested: NestedStyle): BodyTexts =>
  UPDATES[nested].texts(batch(replacements));

const OPEN_BODY = '{"orders":';
const CLOSE_BODY = '}';

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

/** A piece of both texts; of the signed one it is empty where nothing is signed. */
interface Piece {
  readonly json: string;
  readonly signed: string;
}

/**
 * Writes updates. It remembers as text what they last had in common: not only neighbours share it, but all who requote
 * in the process.
 */
class UpdatesWriter {
  readonly #signed: Marks | null;
  /** All before the first id. */
  readonly #start: Piece;
  #shares = Number.NaN;
  #expiresAt: Micros | null = null;
  #says: Said = 'all';
  /** From an id to its price. */
  #middle = NOTHING;
  /** From a price to the next id. */
  #joint = NOTHING;
  /** All after the last price. */
  #end = NOTHING;
  /** From an id to the next one, by price: all that is put between ids while nothing else changes. */
  readonly #between = new Map<PriceUnits, Piece>();

  /** @param signed null to sign nothing */
  constructor(signed: Marks | null) {
    this.#signed = signed;
    this.#start = this.#piece((marks) => marks.openList + marks.replacement.id, OPEN_BODY);
  }

  texts(replacements: readonly OrderReplacement[]): BodyTexts {
    const isSigned = this.#signed !== null;
    const last = replacements.length - 1;
    let isLasting = this.#isAsBefore(replacements[0]!);
    let { json, signed } = this.#start;
    for (let index = 0; index < last; index++) {
      const item = replacements[index]!;
      if (!this.#isAsBefore(item)) {
        this.#learn(item);
        isLasting = false;
      }
      const id = idText(item);
      const next = isLasting ? this.#lasting(item.price) : this.#next(item.price);
      json += id;
      json += next.json;
      if (!isSigned) continue;
      signed += id;
      signed += next.signed;
    }
    const item = replacements[last]!;
    if (!this.#isAsBefore(item)) this.#learn(item);
    const [middle, end, id, price] = [this.#middle, this.#end, idText(item), priceText(item.price)];
    json += id + middle.json + price + end.json;
    if (!isSigned) return { json, parameters: [] };
    return { json, parameters: [['orders', signed + id + middle.signed + price + end.signed]] };
  }

  /** What is not said may differ: a requote in another size has the same texts between its ids. */
  #isAsBefore({ shares, expiresAt, says }: OrderReplacement): boolean {
    return (
      says === this.#says &&
      (shares === this.#shares || !saysShares(says)) &&
      (expiresAt === this.#expiresAt || !saysExpiry(says))
    );
  }

  /** Worth remembering only of terms that have outlasted a batch. */
  #lasting(price: PriceUnits): Piece {
    const known = this.#between.get(price);
    if (known !== undefined) return known;
    const piece = this.#next(price);
    this.#between.set(price, piece);
    return piece;
  }

  #next(price: PriceUnits): Piece {
    const [middle, text, joint] = [this.#middle, priceText(price), this.#joint];
    return {
      json: whole(middle.json, text, joint.json),
      signed: this.#signed === null ? '' : whole(middle.signed, text, joint.signed),
    };
  }

  #learn({ shares, expiresAt, says }: OrderReplacement): void {
    const [amount, expiry] = [formatShares(wireShares(shares)), wireExpiry(expiresAt)];
    const endText = (marks: Marks): string => {
      const { quote, replacement } = marks;
      const said = saysExpiry(says) ? replacement.expiry + expiryText(expiry, marks) : '';
      return quote + said + replacement.end;
    };
    const sizeText = ({ quote, replacement }: Marks): string =>
      saysShares(says) ? replacement.shares + amount + quote : '';
    this.#middle = this.#piece((marks) => sizeText(marks) + marks.replacement.price);
    this.#joint = this.#piece((marks) => endText(marks) + marks.separator + marks.replacement.id);
    this.#end = this.#piece((marks) => endText(marks) + marks.closeList, '', CLOSE_BODY);
    this.#shares = shares;
    this.#expiresAt = expiresAt;
    this.#says = says;
    this.#between.clear();
  }

  /** The body says more around it. */
  #piece(textIn: (marks: Marks) => string, before = '', after = ''): Piece {
    return {
      json: whole(before, textIn(JSON_MARKS), after),
      signed: this.#signed === null ? '' : whole(textIn(this.#signed)),
    };
  }
}

const NOTHING: Piece = { json: '', signed: '' };

const idText = ({ orderId }: OrderReplacement): string => `${wireId(orderId, 'order')}`;

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

/** Everything between the values, in one spelling; in an order, `shares` and what follows close the quotes before them. */
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
      price: next('price') + quote,
      expiry: next('expired_at'),
      end: escape('}'),
    },
  };
}

const JSON_MARKS = marksOf('json', (text) => text);
/** Null where orders are not signed. */
const SIGNED_MARKS: Readonly<Record<NestedStyle, Marks | null>> = {
  python: marksOf('python', quotePlus),
  json: marksOf('json', quotePlus),
  omit: null,
};
const UPDATES: Readonly<Record<NestedStyle, UpdatesWriter>> = {
  python: new UpdatesWriter(SIGNED_MARKS.python),
  json: new UpdatesWriter(SIGNED_MARKS.json),
  omit: new UpdatesWriter(null),
};
