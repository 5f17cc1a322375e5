/** The page of a report: one file, nothing loaded from anywhere. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunReport } from './run-report.js';

/** Scripts of the page in the order in which they need each other. */
const SCRIPTS = [
  'format.js',
  'dom.js',
  'theme.js',
  'columns.js',
  'time-chart.js',
  'equity.js',
  'book-picture.js',
  'waterfall.js',
  'mark-outs.js',
  'summary.js',
  'tables.js',
  'main.js',
] as const;

/** Where a part goes: `$name$`, in whatever makes it well-formed where it stands. */
const PLACE = /(?:\/\* |")?\$(\w+)\$(?: \*\/|")?/g;

/** @returns a whole HTML document, self-contained */
export function reportPage(report: RunReport): string {
  const { resolve } = createRequire(import.meta.url);
  const parts: Readonly<Record<string, string>> = {
    title: escapeText(report.title),
    style: `${readFileSync(resolve('uplot/dist/uPlot.min.css'), 'utf8')}\n${asset('style.css')}`,
    library: readFileSync(resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
    script: pageScript(),
    // A closing tag inside a text must not end the element.
    report: JSON.stringify(report).replaceAll('<', '\\u003c'),
  };
  return asset('template.html').replaceAll(PLACE, (_, name: string) => parts[name] ?? '');
}

/** The modules of the page as one script: each a function of its own, called in order. */
function pageScript(): string {
  const modules = SCRIPTS.map((name) => `modules['./${name}'] = (() => {\n${moduleBody(asset(name))}})();\n`);
  return `(() => {\n'use strict';\nconst modules = {};\n${modules.join('\n')}})();`;
}

/** Imports are taken from the modules called before, exports are handed on. */
function moduleBody(source: string): string {
  const exported = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const body = source
    .replaceAll(/^import (\{[^}]+\}) from '([^']+)';$/gm, "const $1 = modules['$2'];")
    .replaceAll(/^export /gm, '');
  return `${body}return { ${exported.join(', ')} };\n`;
}

const asset = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./page/${name}`, import.meta.url)), 'utf8');

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
