/** `npm run golden`: see `golden.ts`. As a child of its own it is handed lives to simulate, and prints what came of them. */
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();
const [lives] = process.argv[2] === 'lives' ? process.argv.slice(3) : [];
if (lives === undefined) {
  const { golden } = await import(join(import.meta.dirname, 'golden.ts'));
  process.exitCode = await golden(process.argv.slice(2));
} else {
  const { outcomesOf } = await import(join(import.meta.dirname, 'lives.ts'));
  process.stdout.write(JSON.stringify(await outcomesOf(JSON.parse(lives))));
}
