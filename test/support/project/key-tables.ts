/** The keys of a configuration schema as rows of a Markdown table. */
import { z } from 'zod';

/** One key as a row shows it. */
export interface KeyRow {
  /** Dotted; `[]` for every item of a list: `events[].markets[].id`. */
  readonly key: string;
  /** Type and unit. */
  readonly type: string;
  readonly fallback: string;
  readonly meaning: string;
}

type Schema = z.core.$ZodType;

/** A schema without its wrappers, and what they said. */
interface Peeled {
  readonly inner: Schema;
  readonly title: string | null;
  readonly meaning: string;
  readonly isNullable: boolean;
  /** null: the key must be given. */
  readonly fallback: string | null;
}

/** Every key of a schema in its order, a section before what is in it. */
export const keyRows = (schema: Schema): readonly KeyRow[] => rowsBelow(peel(schema).inner, '');

function rowsBelow(inner: Schema, prefix: string): readonly KeyRow[] {
  if (inner instanceof z.ZodArray) return itemRows(inner.element, prefix);
  if (inner instanceof z.ZodUnion && !(inner instanceof z.ZodDiscriminatedUnion))
    return inner.options.flatMap((option) => rowsBelow(peel(option).inner, prefix));
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, Schema>).flatMap(([name, member]) => {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    const peeled = peel(member);
    const below = rowsBelow(peeled.inner, key);
    return [rowOf(key, peeled, below.length > 0), ...below];
  });
}

/** Alternatives are told apart by their kind: `participants[noise].markets`. */
function itemRows(element: Schema, prefix: string): readonly KeyRow[] {
  if (!(element instanceof z.ZodDiscriminatedUnion)) return rowsBelow(peel(element).inner, `${prefix}[]`);
  return (element.options as readonly z.ZodObject[]).flatMap((option) =>
    rowsBelow(option, `${prefix}[${kindOf(option)}]`),
  );
}

function kindOf(option: z.ZodObject): string {
  const kind: unknown = option.shape['kind'];
  return kind instanceof z.ZodLiteral ? String(kind.value) : '';
}

function rowOf(key: string, peeled: Peeled, isSection: boolean): KeyRow {
  const { inner, isNullable, fallback, meaning } = peeled;
  const type = isSection ? (peeled.title ?? sectionType(inner)) : typeText(peeled);
  return { key, type: isNullable ? `${type}, or null` : type, fallback: fallback ?? 'required', meaning };
}

const sectionType = (inner: Schema): string => (inner instanceof z.ZodArray ? 'list' : 'section');

function peel(schema: Schema): Peeled {
  const { title = null, description = '' } = z.globalRegistry.get(schema) ?? {};
  const { def } = schema._zod as { def: { type: string; innerType?: Schema; defaultValue?: unknown } };
  if (def.innerType === undefined)
    return { inner: schema, title, meaning: description, isNullable: false, fallback: null };
  const inside = peel(def.innerType);
  return {
    inner: inside.inner,
    title: title ?? inside.title,
    meaning: description === '' ? inside.meaning : description,
    isNullable: inside.isNullable || def.type === 'nullable',
    fallback: fallbackOf(def) ?? inside.fallback,
  };
}

function fallbackOf({ type, defaultValue }: { type: string; defaultValue?: unknown }): string | null {
  if (type === 'optional') return 'none';
  if (type !== 'default' && type !== 'prefault') return null;
  const text = typeof defaultValue === 'string' ? `'${defaultValue}'` : JSON.stringify(defaultValue);
  return text === '{}' ? '' : `\`${text}\``;
}

function typeText({ inner, title }: Peeled): string {
  if (title !== null) return title;
  if (inner instanceof z.ZodEnum) return listed(inner.options as readonly string[]);
  if (inner instanceof z.ZodLiteral) return listed([...inner.values].map(String));
  if (inner instanceof z.ZodBoolean) return listed(['true', 'false']);
  if (inner instanceof z.ZodURL) return 'URL';
  if (inner instanceof z.ZodString) return 'text';
  if (inner instanceof z.ZodNumber) return numberText(inner);
  if (inner instanceof z.ZodArray) return `list of ${typeText(peel(inner.element))}s`;
  if (inner instanceof z.ZodRecord) return 'section';
  throw new TypeError(`no words for a schema of type ${inner._zod.def.type}`);
}

function listed(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  return quoted.length === 1 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function numberText(schema: z.ZodNumber): string {
  const { minimum, maximum, exclusiveMinimum } = z.toJSONSchema(schema);
  const bounds = [
    exclusiveMinimum === undefined ? null : `above ${exclusiveMinimum}`,
    minimum === undefined ? null : `from ${minimum}`,
    maximum === undefined ? null : `to ${maximum}`,
  ];
  return ['number', ...bounds.filter((bound) => bound !== null)].join(' ');
}
