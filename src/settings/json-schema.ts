import { z } from 'zod';
import { botSchema } from './bot-schema.js';

/** JSON Schema of a configuration file, for editors; of the input side, so decimals may be text or numbers. */
export function configurationJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'Oddsmith configuration',
    ...z.toJSONSchema(botSchema, { io: 'input', unrepresentable: 'any' }),
  };
}
