/**
 * Module hooks for strategy files, wherever they lie: `oddsmith/sdk` is this program's own, and TypeScript is
 * an ES module whatever the nearest package.json says.
 */

let sdkUrl = '';

/** @param {{ sdkUrl: string }} data */
export function initialize(data) {
  sdkUrl = data.sdkUrl;
}

/**
 * @param {string} specifier
 * @param {unknown} context
 * @param {(specifier: string, context: unknown) => Promise<{ url: string, format?: string }>} next
 */
export async function resolve(specifier, context, next) {
  if (specifier === 'oddsmith/sdk') return { url: sdkUrl, format: 'module', shortCircuit: true };
  const found = await next(specifier, context);
  return /\.ts(\?|$)/.test(found.url) ? { ...found, format: 'module' } : found;
}
