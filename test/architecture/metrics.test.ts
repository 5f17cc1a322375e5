/** `docs/metrics.md` and what is in `ops/`: the metrics that they name are those that a bot has. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRIC_CATALOGUE } from '../../src/ops/telemetry/metrics.js';
import { pageText } from '../support/project/documents.js';
import { ROOT } from '../support/project/small-house.js';

const PAGE = join(ROOT, 'docs', 'metrics.md');
const PROMETHEUS = join(ROOT, 'ops', 'prometheus');

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_seconds(_total)?$/, 'seconds'],
  [/_bytes$/, 'bytes'],
  [/_shares(_total)?$/, 'shares'],
  [/(_amount_total|profit|balance|_loss|cash_missing)$/, 'currency'],
  [/_probability$/, '0 to 1'],
  [/(_up|_live|_quotable|_killed|_faulted|_alarm|_info)$/, '1: true'],
  [/size_left$/, '0 to 1'],
];
const unitOf = (name: string): string => UNITS.find(([suffix]) => suffix.test(name))?.[1] ?? 'count';

/** @returns the page with the table as the program has it, formatted */
function withCatalogue(page: string): Promise<string> {
  const rows = METRIC_CATALOGUE.map(({ name, type, labels, help }) => {
    const named = labels.length === 0 ? '' : labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${named} | ${unitOf(name)} | ${help} |`;
  });
  const table = ['| Name | Type | Labels | Unit | Meaning |', '| --- | --- | --- | --- | --- |', ...rows];
  const written = page.replace(
    /(<!-- metrics -->\n)[\s\S]*?(\n<!-- end -->)/,
    (_match, start: string, end: string) => `${start}\n${table.join('\n')}\n${end}`,
  );
  return format(written, { parser: 'markdown', singleQuote: true, printWidth: 110 });
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const rulesOf = (): readonly Rule[] => {
  const text = readFileSync(join(PROMETHEUS, 'alerts.yml'), 'utf8');
  return (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
};

const metricsIn = (text: string): readonly string[] =>
  [...text.matchAll(/oddsmith_\w+/g)].map(([name]) => name);

/** Names as a query spells them: a histogram has three. */
const KNOWN = new Set(
  METRIC_CATALOGUE.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => `${name}${suffix}`) : [name],
  ),
);

const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^##+ (.*)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(',', '').replaceAll(' ', '-'),
  );

const promtool = (...words: readonly string[]) => spawnSync('promtool', words, { encoding: 'utf8' });
const hasPromtool = promtool('--version').status === 0;

describe('docs/metrics.md', () => {
  it('names every metric as the program has it (vitest -u writes the table anew)', async () => {
    await expect(await withCatalogue(readFileSync(PAGE, 'utf8'))).toMatchFileSnapshot(PAGE);
  });

  it('is written anew where it is stale', async () => {
    const fresh = await withCatalogue('<!-- metrics -->\n\n| `old` |\n\n<!-- end -->\n');
    expect(fresh).not.toContain('`old`');
    expect(fresh).toMatch(/\| `oddsmith_fills_total` +\| counter +\| +\| count +\| Fills of own orders/);
  });
});

describe('ops/prometheus', () => {
  it('names metrics that exist, and pages that say what to do', () => {
    const anchors = anchorsOf(pageText('docs/failures.md'));
    for (const { alert, expr, annotations } of rulesOf()) {
      expect(
        metricsIn(expr).filter((name) => !KNOWN.has(name)),
        alert,
      ).toEqual([]);
      expect(annotations.summary, alert).toMatch(/\w/);
      const [page, anchor] = annotations.runbook.split('#');
      expect(page, alert).toBe('docs/failures.md');
      expect(anchors, alert).toContain(anchor);
    }
  });

  it('has a case for every rule', () => {
    const cases = readFileSync(join(PROMETHEUS, 'alerts.test.yml'), 'utf8');
    const missing = rulesOf().filter(({ alert }) => !cases.includes(`alertname: ${alert}\n`));
    expect(missing.map(({ alert }) => alert)).toEqual([]);
    expect(rulesOf().length).toBeGreaterThan(10);
  });

  it.skipIf(!hasPromtool)(
    'passes promtool, and every rule fires (skipped where promtool is not installed)',
    () => {
      const rules = promtool('check', 'rules', join(PROMETHEUS, 'alerts.yml'));
      expect(`${rules.stdout}${rules.stderr}`).toMatch(/SUCCESS: \d+ rules found/);
      const config = promtool('check', 'config', '--syntax-only', join(PROMETHEUS, 'prometheus.yml'));
      expect(config.status, config.stderr).toBe(0);
      const fired = promtool('test', 'rules', join(PROMETHEUS, 'alerts.test.yml'));
      expect(fired.status, `${fired.stdout}${fired.stderr}`).toBe(0);
    },
  );
});

describe('ops/grafana', () => {
  const folder = join(ROOT, 'ops', 'grafana', 'dashboards');

  it.each(readdirSync(folder))('%s asks for metrics that exist', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const names = metricsIn(text);
    expect(names.filter((metric) => !KNOWN.has(metric))).toEqual([]);
    expect(names.length).toBeGreaterThan(5);
    expect(existsSync(join(ROOT, 'ops', 'grafana', 'provisioning'))).toBe(true);
  });
});
