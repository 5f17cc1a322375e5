/** `npm run walk`: see `walk.ts`. */
import { join } from 'node:path';

await import('../bench/built-program.mjs');
await import('./tracing.mjs');
const { walk } = await import(join(import.meta.dirname, 'walk.ts'));
process.exitCode = await walk(process.argv.slice(2));
