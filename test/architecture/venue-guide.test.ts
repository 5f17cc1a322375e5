/** The guide for writing an adapter shows the second venue's code as it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/project/small-house.js';

const GUIDE = readFileSync(join(ROOT, 'docs/guides/venue-adapter.md'), 'utf8');
const snippets = [...GUIDE.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)].map(
  ([, file, text]) => [file!, text!] as const,
);
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

describe('the guide for writing an adapter', () => {
  it('names the file of every snippet', () => {
    expect(snippets).toHaveLength(GUIDE.split('```ts').length - 1);
    expect(snippets.length).toBeGreaterThan(4);
  });

  it.each(snippets)('shows %s as it is', (file, text) => {
    expect(plain(readFileSync(join(ROOT, file), 'utf8'))).toContain(plain(text));
  });

  it('names every field of the profile', () => {
    const port = readFileSync(join(ROOT, 'src/venues/port.ts'), 'utf8');
    const [, profile = ''] = /export interface VenueProfile \{\n(.*?)\n\}/s.exec(port) ?? [];
    const fields = [...profile.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name!);
    expect(fields.length).toBeGreaterThan(5);
    for (const field of fields.filter((name) => name !== 'name' && name !== 'orders'))
      expect(GUIDE).toContain(`\`${field}\``);
    const orders = [...profile.matchAll(/^ {4}readonly (\w+):/gm)].map(([, name]) => name!);
    for (const field of orders.filter((name) => profile.indexOf(name) < profile.indexOf('batches')))
      expect(GUIDE).toContain(`\`orders.${field}\``);
  });
});
