/** `GET /`: the page of a running bot, with its modules. Nothing of it is secret, and nothing comes from elsewhere. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';

const FOLDER = join(import.meta.dirname, 'page');
const { resolve } = createRequire(import.meta.url);

/** Modules of packages by the names under which the page imports them. */
const libraries = (): Readonly<Record<string, string>> => ({
  preact: resolve('preact'),
  'preact/hooks': resolve('preact/hooks'),
  htm: join(dirname(resolve('htm')), 'htm.module.js'),
  uplot: join(dirname(resolve('uplot')), 'uPlot.esm.js'),
});

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

/** Which page, and where: below `at` are its modules, too. */
export interface PagePlace {
  readonly html: 'index.html' | 'exchange.html';
  /** Ends with a slash. */
  readonly at: string;
}

const BOT: PagePlace = { html: 'index.html', at: '/' };
/** The page of the bundled exchange; its admin interface asks for the token. */
export const EXCHANGE_PAGE: PagePlace = { html: 'exchange.html', at: '/admin/' };

/** Serves a page, in which `<!-- import map -->` stands, and what it loads. */
export function addPage(server: FastifyInstance, { html: name, at }: PagePlace = BOT): void {
  const files = filesOf(FOLDER);
  const map = JSON.stringify({
    imports: Object.fromEntries(Object.keys(libraries()).map((name) => [name, `./page/${fileOf(name)}`])),
  });
  const html = readFileSync(join(FOLDER, name), 'utf8').replace(
    '<!-- import map -->',
    () => `<script type="importmap">${map}</script>`,
  );
  const policy = policyOf(map);
  server.get(at, (_request, reply) =>
    reply
      .headers({ ...HEADERS, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(html),
  );
  server.get(`${at}page/:name`, (request, reply) => {
    const file = files.get((request.params as { readonly name: string }).name);
    if (file === undefined) return reply.code(404).send({ error: 'the page has no such file' });
    return reply.headers(HEADERS).type(file.type).send(file.content);
  });
}

const HEADERS = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

const policyOf = (map: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const fileOf = (library: string): string => `${library.replace('/', '-')}.js`;

function filesOf(folder: string): ReadonlyMap<string, PageFile> {
  const own = readdirSync(folder)
    .filter((name) => extname(name) in TYPES)
    .map((name): [string, string] => [name, join(folder, name)]);
  const others = Object.entries(libraries()).map(([name, path]): [string, string] => [fileOf(name), path]);
  const style: [string, string] = ['uplot.css', join(dirname(resolve('uplot')), 'uPlot.min.css')];
  return new Map(
    [...own, ...others, style].map(([name, path]) => [
      name,
      { type: TYPES[extname(name)]!, content: readFileSync(path) },
    ]),
  );
}
