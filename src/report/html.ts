/** Pages of reports: one file each, nothing loaded from anywhere. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { plainText, plainTexts } from '../domain/plain-text.js';
import type { EachReport } from './each-report.js';
import type { RunReport } from './run-report.js';
import type { ScreenReport } from './screen-report.js';
import { escapeText, stillPage } from './still-page.js';
import type { SweepReport } from './sweep-report.js';

/** Scripts of a page in the order in which they need each other. */
const RUN_SCRIPTS = [
  'format.js',
  'dom.js',
  'theme.js',
  'names.js',
  'columns.js',
  'time-chart.js',
  'equity.js',
  'book-picture.js',
  'waterfall.js',
  'mark-outs.js',
  'table.js',
  'summary.js',
  'tables.js',
  'books.js',
  'main.js',
] as const;

const SWEEP_SCRIPTS = [
  'format.js',
  'dom.js',
  'theme.js',
  'table.js',
  'sweep-parameters.js',
  'sweep-profits.js',
  'sweep-heat-map.js',
  'sweep-cell.js',
  'sweep-neighbours.js',
  'sweep-stability.js',
  'sweep-summary.js',
  'sweep-main.js',
] as const;

const EACH_SCRIPTS = ['format.js', 'dom.js', 'theme.js', 'table.js', 'each-main.js'] as const;
const SCREEN_SCRIPTS = [
  ...SWEEP_SCRIPTS.filter((name) => name !== 'sweep-main.js'),
  'screen-main.js',
] as const;

/** Where a part goes: `$name$`, in whatever makes it well-formed where it stands. */
const PLACE = /(?:\/\* |")?\$(\w+)\$(?: \*\/|")?/g;

/** The page of a run. @returns a whole HTML document, self-contained */
export function reportPage(report: RunReport): string {
  const { resolve } = createRequire(import.meta.url);
  const [style, library] = ['uPlot.min.css', 'uPlot.iife.min.js'].map((name) =>
    readFileSync(resolve(`uplot/dist/${name}`), 'utf8'),
  );
  return page(report, RUN_SCRIPTS, { style: style!, library: library! });
}

/** The page of a sweep. @returns a whole HTML document, self-contained */
export const sweepPage = (report: SweepReport): string =>
  page(report, SWEEP_SCRIPTS, { style: '', library: '' });

/** The page of backtests of each recording. @returns a whole HTML document, self-contained */
export const eachPage = (report: EachReport): string =>
  page(report, EACH_SCRIPTS, { style: '', library: '' });

/** The page of a screen. @returns a whole HTML document, self-contained */
export const screenPage = (report: ScreenReport): string =>
  page(report, SCREEN_SCRIPTS, { style: '', library: '' });

function page(
  report: RunReport | SweepReport | ScreenReport | EachReport,
  scripts: readonly string[],
  charts: { readonly style: string; readonly library: string },
): string {
  const script = pageScript(scripts);
  const json = JSON.stringify(plainTexts(report));
  const parts: Readonly<Record<string, string>> = {
    title: escapeText(plainText(report.title)),
    style: `${charts.style}\n${asset('style.css')}`,
    library: charts.library,
    script,
    content: stillPage(script, json),
    // A closing tag inside a text must not end the element.
    report: json.replaceAll('<', '\\u003c'),
  };
  const filled = asset('template.html').replaceAll(PLACE, (place, name: string) => parts[name] ?? place);
  return filled
    .replace('$scripts$', hashesOf(filled, 'script'))
    .replace('$styles$', hashesOf(filled, 'style'));
}

/** What the policy of a page lets run: the elements of this name that the page itself has. */
const hashesOf = (html: string, name: string): string =>
  [...html.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))]
    .map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`)
    .join(' ');

/** The modules of the page as one script: each a function of its own, called in order. */
function pageScript(scripts: readonly string[]): string {
  const modules = scripts.map((name) => `modules['./${name}'] = (() => {\n${moduleBody(asset(name))}})();\n`);
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
