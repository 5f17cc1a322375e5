/**
 * `${NAME}` and `${NAME:-default}` inside strings. It happens after the YAML is parsed, so a value can never
 * become structure, and it reports where a variable is missing instead of inserting nothing.
 */
import { type Document, isScalar, visit } from 'yaml';

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
/** Without a default: a default would be a literal in the file. */
const WHOLE_REFERENCE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

export interface MissingVariable {
  readonly name: string;
  readonly offset: number;
}

/** What interpolation found, besides changing the document in place. */
export interface Interpolation {
  readonly missing: readonly MissingVariable[];
  /** Offsets of the scalars that are one reference without a default: the only way to hand over a secret. */
  readonly references: ReadonlySet<number>;
}

/** @param environment names to values; an empty value counts as given */
export function interpolate(
  document: Document,
  environment: Readonly<Record<string, string | undefined>>,
): Interpolation {
  const missing: MissingVariable[] = [];
  const references = new Set<number>();
  visit(document, {
    Scalar(_key, node) {
      if (!isScalar(node) || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const offset = node.range?.[0] ?? 0;
      if (WHOLE_REFERENCE.test(node.value)) references.add(offset);
      node.value = node.value.replace(REFERENCE, (_match, name: string, fallback: string | undefined) => {
        const value = environment[name] ?? fallback;
        if (value === undefined) missing.push({ name, offset });
        return value ?? '';
      });
    },
  });
  return { missing, references };
}
