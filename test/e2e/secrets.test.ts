/** Secrets are planted in a bot that trades, is commanded and sends alerts; then everything that it wrote or said is searched. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { Child } from '../support/house/child.js';
import { freePort } from '../support/process/free-port.js';
import { until } from '../support/process/until.js';
import { ROOT } from '../support/project/small-house.js';
import { mailReceiver, webReceiver } from '../support/wire/receivers.js';

const ALERTS = `
http: { port: 0, token: '\${CANARY_TOKEN}' }
alerts:
  receivers:
    - { name: hook, kind: webhook, url: '\${CANARY_HOOK}', token: '\${CANARY_BEARER}' }
    - { name: dead, kind: slack, url: '\${CANARY_DEAD}' }
    - { name: phone, kind: telegram, token: '\${CANARY_TELEGRAM}', chat: 1, api: WEB }
    - name: mail
      kind: email
      host: 127.0.0.1
      port: MAIL
      tls: none
      user: me
      password: \${CANARY_PASSWORD}
      from: bot@example.org
      to: [me@example.org]
  rules: { fill: { above: 1, cooldownMs: 0 } }
`;

const PAGES = [
  '',
  'metrics',
  'health',
  'ready',
  'api/status',
  'api/config',
  'api/alarms',
  'api/orders',
  'api/decisions',
];

/** Every file below a folder, unpacked where it is packed. */
function* filesBelow(folder: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    yield [path.slice(folder.length), (isPacked ? gunzipSync(bytes) : bytes).toString('latin1')];
  }
}

it('no secret is in any log, tape, journal, metric, page, report or alert', { timeout: 60_000 }, async () => {
  const web = await webReceiver();
  const mail = await mailReceiver();
  const secrets = {
    CANARY_KEY: 'sk-canary-private-key',
    CANARY_TOKEN: 'canary-http-token-0001',
    CANARY_HOOK: `${web.url}/canary-hook-path`,
    CANARY_BEARER: 'canary-bearer-token',
    CANARY_DEAD: `http://127.0.0.1:${await freePort()}/services/canary-dead-path`,
    CANARY_TELEGRAM: '123:canary-telegram',
    CANARY_PASSWORD: 'canary-smtp-password',
  };
  const dir = scratchFolder();
  const demo = readFileSync(join(ROOT, 'config', 'demo.yaml'), 'utf8');
  const file = join(dir, 'bot.yaml');
  writeFileSync(
    file,
    demo.replace('privateKey: sk_maker', 'privateKey: "${CANARY_KEY}"').replace('port: 4010', 'port: 0') +
      ALERTS.replace('WEB', web.url).replace('MAIL', `${mail.port}`),
  );
  const bot = Child.start(['demo', '--config', file, '--json'], {
    cwd: dir,
    env: { ...secrets, XDG_STATE_HOME: join(dir, 'user') },
  });
  const { urls } = (await bot.event('ready')) as { urls: { metrics: string } };
  const base = urls.metrics.replace(/metrics$/, '');
  const command = async (path: string, token: string): Promise<number> =>
    (await fetch(base + path, { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status;
  await until('a mail of a fill', () => mail.mails.length > 0);
  expect(await command('kill', 'no-such-token-at-all')).toBe(401);
  expect(await command('kill', secrets.CANARY_TOKEN)).toBe(200);
  await until('an alert of the kill', () => web.got.some(({ body }) => body['rule'] === 'kill'));
  await until('the dead receiver to fail', () => bot.said.includes('alerts to dead fail'));
  const pages = await Promise.all(
    PAGES.map(async (path) => [path, await (await fetch(base + path)).text()] as const),
  );
  expect(await bot.end('SIGINT')).toBe(6);

  const told = [
    ['the log', bot.said],
    ['alerts', JSON.stringify(web.got.map(({ body }) => body))],
    ['mails', mail.mails.join('\n')],
    ...pages,
    ...filesBelow(dir),
  ] as const;
  const names = told.map(([name]) => name).join('\n');
  for (const kind of [/journal/, /run\.json/, /tape/, /report/, /fills/]) expect(names).toMatch(kind);
  expect(pages.find(([path]) => path === 'api/config')?.[1]).toContain('[redacted]');
  const canaries = Object.values(secrets).flatMap((secret) => /canary.*$/.exec(secret) ?? []);
  const leaks = told.flatMap(([name, text]) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${name}: ${canary}`),
  );
  expect(leaks).toEqual([]);
  // The search finds what is there: the venue and the receivers did get them.
  expect(web.got.map(({ path }) => path)).toContain('/canary-hook-path');
  expect(mail.commands.join()).toContain(Buffer.from('\0me\0canary-smtp-password').toString('base64'));
});
