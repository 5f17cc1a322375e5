/** Writes the table of what a strategy sees anew, from the types and what is said of their fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from './small-house.js';

export interface ContextField {
  /** `book.bids[0].price` */
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

const CONTRACT = readFileSync(join(ROOT, 'src/core/strategy/contract.ts'), 'utf8');
const MEMBER = /(?: {2}\/\*\*(.*?)\*\/\n)? {2}readonly (\w+)\??: (.*?);\n(?= {2}(?:\/\*\*|readonly)|$)/gs;
const REGION = /(<!-- context -->\n)[\s\S]*?(\n<!-- end -->)/;

/** Every field of `StrategyContext`, those of what it consists of below each. */
export const contextFields = (): readonly ContextField[] => fieldsOf('StrategyContext', '');

/** @returns the page with its table as the types have it now, formatted */
export async function withContextTables(page: string): Promise<string> {
  const rows = contextFields().map(
    ({ path, type, meaning }) => `| \`${path}\` | \`${type.replaceAll('|', '\\|')}\` | ${meaning} |`,
  );
  const table = ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
  const written = page.replace(REGION, (_match, start: string, end: string) => `${start}\n${table}\n${end}`);
  return format(written, { parser: 'markdown', singleQuote: true, printWidth: 110 });
}

function fieldsOf(name: string, prefix: string): readonly ContextField[] {
  const body = new RegExp(`export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(CONTRACT)?.[1];
  if (body === undefined) return [];
  return [...`${body}\n`.matchAll(MEMBER)].flatMap(([, said = '', field, type]) => {
    const path = `${prefix}${field}`;
    const text = type!
      .replaceAll(/\/\*\*.*?\*\/\s*/gs, '')
      .replaceAll('readonly ', '')
      .replaceAll(/\s+/g, ' ');
    const meaning = said.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim();
    const list = /^(\w+)\[\]$/.exec(text)?.[1];
    return [
      { path, type: text, meaning },
      ...fieldsOf(list ?? text.replace(' | null', ''), list === undefined ? `${path}.` : `${path}[0].`),
    ];
  });
}
