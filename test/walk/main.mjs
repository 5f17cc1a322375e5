/** `npm run walk`: see `walk.ts`. */
import { join } from 'node:path';
import { build } from '../../tools/build.mjs';

const root = join(import.meta.dirname, '../..');
if (!build(root, { force: false })) process.exit(1);
await import('../bench/built-program.mjs');
await import('./tracing.mjs');
const { walk } = await import(join(import.meta.dirname, 'walk.ts'));
process.exitCode = await walk(process.argv.slice(2));
