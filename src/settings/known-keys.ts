/** Which keys a schema has at a place of a file. */
import { z } from 'zod';

/** A part of the schema, and what the file has there. */
interface Place {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
}

/** The keys the schema knows at a path of the input; empty where it has no fixed keys. */
export function keysAt(schema: z.ZodType, input: unknown, path: readonly PropertyKey[]): readonly string[] {
  const places = path.reduce<readonly Place[]>(
    (at, part) => at.flatMap((one) => below(one, part)),
    [{ schema, value: input }],
  );
  return [...new Set(places.flatMap(forms).flatMap(keysOf))];
}

/** Looks through the wrappers of a schema: default, optional, nullable, pipe; and chooses from a union by the value. */
function forms({ schema, value }: Place): readonly z.core.$ZodType[] {
  const { def } = schema._zod as {
    def: {
      innerType?: z.core.$ZodType;
      in?: z.core.$ZodType;
      options?: readonly z.core.$ZodType[];
      discriminator?: string;
    };
  };
  const within = (inner: z.core.$ZodType) => forms({ schema: inner, value });
  if (def.innerType !== undefined) return within(def.innerType);
  if (def.in !== undefined) return within(def.in);
  if (def.options === undefined) return [schema];
  const { options, discriminator } = def;
  return (discriminator === undefined ? options : named(options, discriminator, value)).flatMap(within);
}

/** The options that the value names by the key which tells them apart. */
function named(options: readonly z.core.$ZodType[], key: string, value: unknown): readonly z.core.$ZodType[] {
  const name = memberOf(value, key) as z.core.util.Primitive;
  return options.filter((option) => option._zod.propValues?.[key]?.has(name));
}

const memberOf = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' ? (value as Record<PropertyKey, unknown> | null)?.[key] : undefined;

function below(place: Place, part: PropertyKey): readonly Place[] {
  const value = memberOf(place.value, part);
  return forms(place).flatMap((form) => {
    const schema = childOf(form, part);
    return schema === undefined ? [] : [{ schema, value }];
  });
}

function childOf(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (!(schema instanceof z.ZodObject)) return undefined;
  return (schema.shape as Record<string, z.core.$ZodType>)[String(part)];
}

function keysOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const names = schema instanceof z.ZodRecord ? schema.keyType._zod.values : undefined;
  return [...(names ?? [])].map(String);
}
