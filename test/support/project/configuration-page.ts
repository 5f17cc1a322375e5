/** Writes the tables of `docs/configuration.md` anew; its prose stays as it is. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { botSchema } from '../../../src/settings/bot-schema.js';
import { exchangeSchema } from '../../../src/settings/exchange-schema.js';
import { type AnyStrategy, asStrategy } from '../../../src/core/strategy/registry.js';
import {
  describeParameter,
  type ParameterDeclaration,
  type ParameterDeclarations,
} from '../../../src/core/strategy/parameters.js';
import { KINDS } from '../../../src/core/strategy/signals/kinds.js';
import { type KeyRow, keyRows } from './key-tables.js';
import { ROOT } from './small-house.js';

/** `<!-- keys bot venue -->` is followed by the keys below `venue` of a bot's file, up to the closing comment. */
const REGION = /(<!-- (\w+)(?: (\w+))?(?: (\S+))? -->\n)[\s\S]*?(\n<!-- end -->)/g;

/** Files by name; what is documented under another name is left out. */
const FILES: Readonly<Record<string, readonly KeyRow[]>> = {
  bot: keyRows(botSchema).filter(({ key }) => !key.startsWith('exchange.')),
  exchange: keyRows(exchangeSchema),
};

/** Every key of both files, for whoever looks for one without a meaning. */
export const documentedKeys = (): readonly KeyRow[] => Object.values(FILES).flat();

/** @returns the page with every table as the schemas and strategies have it now, formatted */
export async function withTables(page: string): Promise<string> {
  const strategies = await bundledStrategies();
  const regions = [...page.matchAll(REGION)].map(([, , what, file, section]) => ({ what, file, section }));
  const written = page.replace(
    REGION,
    (
      _match,
      start: string,
      what: string,
      file: string | undefined,
      section: string | undefined,
      end: string,
    ) => {
      const others = regions.filter((one) => one.file === file && one.section !== section);
      const table =
        what === 'parameters'
          ? strategies.map(parameterSection).join('\n\n')
          : what === 'signals'
            ? Object.entries(KINDS)
                .map(([name, params]) => parameterSection({ name, params }))
                .join('\n\n')
            : keyTable(
                rowsOf(
                  file ?? '',
                  section ?? '',
                  others.map((one) => one.section ?? ''),
                ),
                section ?? '',
              );
      return `${start}\n${table}\n${end}`;
    },
  );
  return format(written, { parser: 'markdown', singleQuote: true, printWidth: 110 });
}

/** A row stands in the region with the longest matching section. */
function rowsOf(file: string, section: string, others: readonly string[]): readonly KeyRow[] {
  const deeper = others.filter((other) => other.length > section.length && isBelow(other, section));
  return (FILES[file] ?? []).filter(
    ({ key }) => isBelow(key, section) && !deeper.some((other) => isBelow(key, other)),
  );
}

const isBelow = (key: string, section: string): boolean =>
  section === '' || (key.startsWith(section) && /^[.[]/.test(key.slice(section.length)));

function keyTable(rows: readonly KeyRow[], section: string): string {
  const lines = rows.map(({ key, type, fallback, meaning }) => {
    const name = key.slice(section.length).replace(/^(\[\w*\])?\./, '');
    return `| \`${name}\` | ${type} | ${fallback} | ${meaning} |`;
  });
  return ['| Key | Type and unit | Default | Meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

async function bundledStrategies(): Promise<readonly AnyStrategy[]> {
  const folder = join(ROOT, 'strategies');
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .toSorted();
  return Promise.all(
    files.map(async (file) => {
      const loaded = (await import(join(folder, file))) as { default: unknown };
      return asStrategy(loaded.default, file);
    }),
  );
}

function parameterSection({
  name,
  params,
}: {
  readonly name: string;
  readonly params: ParameterDeclarations;
}): string {
  const lines = Object.entries(params).map(
    ([parameter, declaration]) =>
      `| \`${parameter}\` | ${describeParameter(declaration)} | \`${shownDefault(declaration)}\` | ${declaration.help} |`,
  );
  return [
    `#### ${name}`,
    '',
    '| Parameter | Type and unit | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

const shownDefault = (declaration: ParameterDeclaration): string =>
  typeof declaration.default === 'object' ? JSON.stringify(declaration.default) : String(declaration.default);
