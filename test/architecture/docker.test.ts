/** The image, the services around it and the systemd unit agree; `tools/docker-steps.mjs` runs the steps. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { missingFiles, stagesOf } from '../../tools/docker-steps.mjs';
import { ROOT } from '../support/project/small-house.js';

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const stages = stagesOf(textOf('Dockerfile'));
const last = stages.at(-1)!;
const wordOf = (word: string): string | undefined => last.steps.findLast((step) => step.word === word)?.text;

/** A stop may take so long: see `docs/commands.md`. */
const STOP_SECONDS = 120;

interface Service {
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly stop_signal?: string;
}

describe('the image', () => {
  it('is built in stages from files that are there', () => {
    expect(stages.map(({ from }) => from)).toEqual(['node:20-slim', 'base', 'base']);
    expect(missingFiles(ROOT, stages)).toEqual([]);
  });

  it('runs as nobody special, says whether it is healthy, and stops as in a terminal', () => {
    expect(wordOf('USER')).toBe('node');
    expect(wordOf('HEALTHCHECK')).toContain('http://127.0.0.1:9464/health');
    expect(wordOf('STOPSIGNAL')).toBe('SIGINT');
    expect(wordOf('VOLUME')).toBe('/app/.oddsmith');
    expect(wordOf('ENV')).toContain('XDG_STATE_HOME=/app/.oddsmith/user');
  });

  it('is seen with files that are not there, and with words that nobody knows', () => {
    expect(missingFiles(ROOT, stagesOf('FROM a\nCOPY nothing test ./\n'))).toEqual(['nothing', 'test']);
    expect(() => stagesOf('FROM a\nRUNS b\n')).toThrow(/expected one of .* found: RUNS b/);
    expect(stagesOf('FROM a AS b\n# no\nRUN c \\\n  d\n')).toEqual([
      { name: 'b', from: 'a', steps: [{ word: 'RUN', text: 'c  d' }] },
    ]);
  });
});

describe('ops', () => {
  it('gives a bot the time that a stop takes, in compose and in systemd', () => {
    const { services } = parse(textOf('ops/compose.yaml')) as { services: Record<string, Service> };
    for (const name of ['bot', 'guard'])
      expect(services[name]).toMatchObject({
        read_only: true,
        stop_signal: 'SIGINT',
        stop_grace_period: '2m',
      });
    const unit = textOf('ops/oddsmith.service');
    expect(unit).toContain(`TimeoutStopSec=${STOP_SECONDS}\n`);
    expect(unit).toContain('KillSignal=SIGINT\n');
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    const entry = (JSON.parse(wordOf('ENTRYPOINT')!) as string[]).join(' ');
    expect(unit).toContain(`ExecStart=/usr/bin/${entry.replace('dist/', '/opt/oddsmith/dist/')} run `);
  });
});
