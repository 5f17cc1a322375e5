/** Importing files that are not part of the build. */
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

let areHooksRegistered = false;
/** The import of a TypeScript file that is under way, or has been. */
let compiling: Promise<unknown> = Promise.resolve();

/**
 * Imports a strategy file. TypeScript is compiled on the way (types are dropped, not checked), and `oddsmith/sdk`
 * resolves to this program's, so that a strategy can be tried from anywhere and without a build.
 * @throws whatever is wrong with the file
 */
export async function importStrategyFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  // What it throws names the line that its author wrote, not the one of the compiled text.
  process.setSourceMapsEnabled(true);
  if (!/\.m?ts$/.test(file)) return imported(file);
  const module = compiling.then(() => importTypeScript(file));
  compiling = module.catch(() => undefined);
  return module;
}

/** One at a time: the first to end takes away the compiler from whoever imports meanwhile, and our hooks' place around it. */
async function importTypeScript(file: string): Promise<Readonly<Record<string, unknown>>> {
  const stop = await compileTypeScript();
  try {
    return await imported(file);
  } finally {
    await stop();
  }
}

function imported(file: string): Promise<Readonly<Record<string, unknown>>> {
  registerHooks();
  return import(pathToFileURL(file).href) as Promise<Record<string, unknown>>;
}

/** Loaded only when it is needed: most runs name bundled strategies. */
async function compileTypeScript(): Promise<() => Promise<void>> {
  const tsx = await import('tsx/esm/api');
  return tsx.register({ tsconfig: false });
}

function registerHooks(): void {
  if (areHooksRegistered) return;
  areHooksRegistered = true;
  const sdkUrl = new URL('../../core/strategy/sdk.js', import.meta.url).href;
  register(new URL('./hooks.mjs', import.meta.url), { data: { sdkUrl } });
}
