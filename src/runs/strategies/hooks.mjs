/**
 * Module hooks for strategy files, wherever they lie: `oddsmith/sdk` and `oddsmith/strategies/...` are this program's own,
 * and TypeScript is an ES module whatever the nearest package.json says.
 */

const OUR_NAME = /^oddsmith(\/|$)/;

const BUNDLED = /^oddsmith\/strategies\/([\w/-]+)$/;

let sdkUrl = '';
let strategiesUrl = '';

/** @param {{ sdkUrl: string, strategiesUrl: string }} data */
export function initialize(data) {
  ({ sdkUrl, strategiesUrl } = data);
}

/**
 * @param {string} specifier
 * @param {unknown} context
 * @param {(specifier: string, context: unknown) => Promise<{ url: string, format?: string }>} next
 */
export async function resolve(specifier, context, next) {
  if (specifier === 'oddsmith/sdk') return { url: sdkUrl, format: 'module', shortCircuit: true };
  const [, bundled] = BUNDLED.exec(specifier) ?? [];
  if (bundled !== undefined)
    return { url: `${strategiesUrl}/${bundled}.js`, format: 'module', shortCircuit: true };
  const found = await next(specifier, context).catch((/** @type {unknown} */ error) => {
    // A program around a bot may import the package by name; who has none, or mistyped it, wanted the door.
    if (!OUR_NAME.test(specifier)) throw error;
    throw new Error(`strategies import 'oddsmith/sdk' and 'oddsmith/strategies/<name>', not '${specifier}'`, {
      cause: error,
    });
  });
  return /\.ts(\?|$)/.test(found.url) ? { ...found, format: 'module' } : found;
}
