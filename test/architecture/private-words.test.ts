import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

/** What belongs to one machine or one network and means nothing to whoever clones the project. */
const PRIVATE: readonly RegExp[] = [
  /(?<![\w.~})-])\/(?:work|root|home|Users|tmp)\/[\w.-]+/,
  /\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}\b/,
  /\bregistry\.[a-z0-9-]+\.[a-z]+|(?:\/\/|@)[a-z0-9.-]+\.(?:internal|corp|lan)\b|\bartifactory\b/i,
];

/** Lines that name a private path or host, as `file:line`. */
const privateLines = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) => (PRIVATE.some((word) => word.test(line)) ? [`${file}:${index + 1}`] : []));

/** Samples are spelled with other signs, so that nobody who searches the project for such words finds them here. */
const spelled = (sample: string): string => sample.replaceAll('|', '/').replaceAll('_', '.');

function trackedTexts(): [file: string, text: string][] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '' && !/\.(?:gz|png|parquet)$/.test(file));
  return files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
}

describe('the words of the project', () => {
  it('name no path and no host of a private machine', () => {
    const texts = trackedTexts();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.flatMap(([file, text]) => privateLines(file, text))).toEqual([]);
  });

  it.each([
    'see |home|ann|notes',
    "'|root|notes'",
    'in |tmp|run-1',
    'http:||10_0_0_7:80',
    'https:||registry_example_org|a',
    'https:||ci_corp|a',
  ])('are seen naming %s', (line) => {
    expect(privateLines('a.md', `first\n${spelled(line)}`)).toEqual(['a.md:2']);
  });

  it.each([
    '__|shared|work|home_md',
    'http:||127_0_0_1:9464|metrics',
    'os_tmpdir()',
    'version 10_0_1',
    'docs|work|a_md',
  ])('may say %s', (line) => {
    expect(privateLines('a.md', spelled(line))).toEqual([]);
  });
});
