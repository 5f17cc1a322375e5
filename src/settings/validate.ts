import type { z } from 'zod';
import { checked } from './issues.js';
import { SettingsError } from './problems.js';
import type { SettingsSource } from './source.js';

/**
 * Checks a source against a schema.
 * @returns the schema's output
 * @throws SettingsError with every problem, each at its place
 */
export function validate<S extends z.ZodType>(schema: S, source: SettingsSource): z.output<S> {
  const result = checked(schema, source.value);
  if (result.ok) return result.value;
  const problems = result.issues.map(({ path, message, unknownKey }) =>
    source.problem(path, message, unknownKey),
  );
  throw new SettingsError(source.file, problems);
}
