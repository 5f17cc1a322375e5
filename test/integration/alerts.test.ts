/** Alerts on real sockets: every receiver, and a bot that sends them while it trades. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createLogger, loadBotSettings, seededRandom, startDemo, SystemClock } from 'oddsmith';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testAlerts } from '../../src/cli/commands/alert.js';
import type { Alert } from '../../src/ops/alerts/alert.js';
import { senderOf } from '../../src/ops/alerts/receivers.js';
import { alertsSchema } from '../../src/settings/alerts-schema.js';
import { scratchFolder } from '../support/disk/scratch-folder.js';
import { freePort } from '../support/process/free-port.js';
import { ROOT } from '../support/project/small-house.js';
import { ran } from '../support/screen/told-command.js';
import { mailReceiver, webReceiver } from '../support/wire/receivers.js';

const ALERT: Alert = {
  rule: 'kill',
  state: 'firing',
  severity: 'critical',
  title: 'the kill switch is latched',
  text: 'loss <limit>',
  at: '2026-01-01T00:00:00.000Z',
  runId: 'r1',
  venue: 'futuur',
  mode: 'paper',
};
const HEADLINE = 'Oddsmith PAPER futuur: CRITICAL: the kill switch is latched';

const sent = (receiver: object, alert: Alert = ALERT) => {
  const [settings] = alertsSchema.parse({ receivers: [{ name: 'one', ...receiver }] }).receivers;
  return senderOf(settings!)(alert);
};

afterEach(() => void vi.unstubAllEnvs());

describe('a receiver of alerts', () => {
  it('of kind webhook gets the alert as JSON, with its token', async () => {
    const { url, got } = await webReceiver();
    expect(await sent({ kind: 'webhook', url: `${url}/hook`, token: 't0ken' })).toEqual({ kind: 'sent' });
    expect(got).toEqual([{ path: '/hook', authorization: 'Bearer t0ken', body: ALERT }]);
  });

  it('of kind slack, discord and telegram gets text in which titles of the venue call nobody', async () => {
    const { url, got } = await webReceiver();
    await sent({ kind: 'slack', url: `${url}/services/T0` });
    await sent({ kind: 'discord', url: `${url}/api/webhooks/1/x` });
    await sent({ kind: 'telegram', token: '12:ab', chat: -100, api: url }, { ...ALERT, state: 'resolved' });
    const rest = '2026-01-01T00:00:00.000Z  run r1';
    expect(got.map(({ path, body }) => ({ path, body }))).toEqual([
      { path: '/services/T0', body: { text: `${HEADLINE}\nloss &lt;limit&gt;\n${rest}` } },
      {
        path: '/api/webhooks/1/x',
        body: { content: `${HEADLINE}\nloss <limit>\n${rest}`, allowed_mentions: { parse: [] } },
      },
      {
        path: '/bot12:ab/sendMessage',
        body: {
          chat_id: -100,
          text: `Oddsmith PAPER futuur: over: the kill switch is latched\nloss <limit>\n${rest}`,
        },
      },
    ]);
  });

  it('of kind email gets a mail', async () => {
    const { port, mails, commands } = await mailReceiver();
    const mail = {
      kind: 'email',
      host: '127.0.0.1',
      port,
      tls: 'none',
      user: 'me',
      password: 's3cret',
      from: 'bot@example.org',
      to: ['a@example.org', 'b@example.org'],
    };
    expect(await sent(mail)).toEqual({ kind: 'sent' });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`Subject: ${HEADLINE}`);
    expect(mails[0]).toContain('loss <limit>');
    expect(commands).toContain('RCPT TO:<b@example.org>');
    expect(commands).toContain(`AUTH PLAIN ${Buffer.from('\0me\0s3cret').toString('base64')}`);
    expect(await sent({ ...mail, tls: 'starttls' })).toEqual({
      kind: 'refused',
      reason: 'SMTP status 500',
    });
    expect(mails).toHaveLength(1);
  });

  it('that refuses a mail for good is not asked again', async () => {
    const { port } = await mailReceiver('550 no such user');
    const mail = { kind: 'email', host: '127.0.0.1', port, tls: 'none', from: 'b@x.org', to: ['a@x.org'] };
    expect(await sent(mail)).toEqual({ kind: 'refused', reason: 'SMTP status 550' });
  });

  it.each([
    [500, { kind: 'failed', reason: 'HTTP status 500', afterMs: 0 }],
    [429, { kind: 'failed', reason: 'HTTP status 429', afterMs: 0 }],
    [404, { kind: 'refused', reason: 'HTTP status 404' }],
    [302, { kind: 'refused', reason: 'HTTP status 302' }],
  ])('that answers %i has not got it', async (status, outcome) => {
    const { url } = await webReceiver(status);
    expect(await sent({ kind: 'webhook', url })).toEqual(outcome);
  });

  it('that is not there has not got it, and the reason does not say where it would be', async () => {
    const outcome = await sent({ kind: 'webhook', url: `http://127.0.0.1:${await freePort()}/s3cret` });
    expect(outcome).toEqual({ kind: 'failed', reason: 'ECONNREFUSED', afterMs: 0 });
  });

  it.skipIf(process.platform !== 'linux')('of kind desktop is a notification', async () => {
    const folder = scratchFolder();
    const program = join(folder, 'notify-send');
    writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" > ${folder}/said\n`);
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
    expect(await sent({ kind: 'desktop' })).toEqual({ kind: 'sent' });
    expect(readFileSync(join(folder, 'said'), 'utf8')).toBe(
      `--app-name=oddsmith|--|${HEADLINE}|loss &lt;limit&gt;|`,
    );
    vi.stubEnv('PATH', folder.replace(/$/, '/nowhere'));
    expect(await sent({ kind: 'desktop' })).toEqual({
      kind: 'refused',
      reason: 'notify-send is not installed',
    });
  });
});

/** The demo's file with these receivers. */
function fileWith(receivers: string): string {
  const file = join(scratchFolder(), 'bot.yaml');
  const text = readFileSync(join(ROOT, 'config', 'demo.yaml'), 'utf8');
  writeFileSync(file, `${text}\nalerts:\n  receivers:\n${receivers}`);
  return file;
}

describe('oddsmith alert test', () => {
  it('says of each receiver whether it can be reached', async () => {
    const { url, got } = await webReceiver();
    vi.stubEnv('HOOK_OF_A_TEST', url);
    const file = fileWith(
      `    - { name: hook, kind: webhook, url: '\${HOOK_OF_A_TEST}' }\n` +
        `    - { name: chat, kind: slack, url: '\${UNSET_OF_A_TEST}' }\n`,
    );
    expect(await ran(() => testAlerts(file, { json: false }))).toEqual({
      code: 1,
      text: 'hook (webhook): sent\nchat (slack): not sent: the variable UNSET_OF_A_TEST is not set\n',
    });
    expect(got).toMatchObject([{ body: { rule: 'test', title: 'a test' } }]);
    const alone = await ran(() => testAlerts(file, { json: true, receiver: 'hook' }));
    expect(alone.code).toBe(0);
    expect(JSON.parse(alone.text)).toEqual({ receiver: 'hook', kind: 'webhook', sent: true, reason: null });
  });

  it.each([
    [
      `    - { name: hook, kind: webhook, url: 'http://x.org/1' }\n`,
      /must not stand in the file; write \$\{ALERT_URL\}/,
    ],
    [`    - { name: a, kind: desktop }\n    - { name: a, kind: desktop }\n`, /the name a is used twice/],
    [`    - { name: a, kind: desktop, rules: [nothing] }\n`, /alerts\.receivers\[0\]\.rules/],
  ])('refuses %s', async (receivers, text) => {
    const told = await ran(() => testAlerts(fileWith(receivers), { json: false }));
    expect(told.text).toMatch(text);
    expect(told.code).toBe(2);
  });

  it('says what is missing without receivers', async () => {
    const told = await ran(() => testAlerts(join(ROOT, 'config', 'demo.yaml'), { json: false }));
    expect(told.text).toMatch(/names no receiver: add alerts\.receivers/);
  });
});

describe('a bot with alerts', () => {
  it('tells of the kill switch and of its end, past a receiver that is dead', async () => {
    const { url, got } = await webReceiver();
    const folder = scratchFolder();
    const env = {
      LIVE_HOOK: `${url}/live-hook-secret`,
      DEAD_HOOK: `http://127.0.0.1:${await freePort()}/dead-hook-secret`,
    };
    const file = fileWith(
      `    - { name: live, kind: webhook, url: '\${LIVE_HOOK}', rules: [kill] }\n` +
        `    - { name: dead, kind: webhook, url: '\${DEAD_HOOK}' }\n`,
    );
    const { settings, source } = loadBotSettings(file, env);
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', style: 'json', write: (line) => void lines.push(line) });
    const { bot, exchange } = await startDemo({
      settings: {
        ...settings,
        stateDir: folder,
        exchange: { ...settings.exchange!, port: 0, participants: [] },
        http: { ...settings.http, port: 0 },
        tape: { ...settings.tape, record: true },
      },
      source,
      recording: null,
      clock: new SystemClock(),
      random: seededRandom(settings.seed),
      logger,
      runId: 'alerts',
    });
    try {
      bot.kill('a person said so');
      await expect.poll(() => got.length, { timeout: 20_000, interval: 20 }).toBe(1);
      expect(got[0]?.body).toMatchObject({
        rule: 'kill',
        state: 'firing',
        text: 'a person said so',
        runId: 'alerts',
      });
      bot.resume();
      await expect.poll(() => got.length, { timeout: 20_000, interval: 20 }).toBe(2);
      expect(got[1]?.body).toMatchObject({ rule: 'kill', state: 'resolved' });
      const metrics = await (await fetch(`${bot.url}/metrics`)).text();
      expect(metrics).toContain('oddsmith_alerts_total{receiver="live",outcome="sent"} 2');
      bot.stop('seen enough');
      expect((await bot.ended).outcome).toBe('clean');
      expect(lines.some((line) => line.includes('alerts to dead fail (ECONNREFUSED)'))).toBe(true);
      expect(existsSync(bot.folder!)).toBe(true);
      expect(lines.join('')).not.toContain('hook-secret');
      expect(readFileSync(join(bot.folder!, 'run.json'), 'utf8')).not.toContain('hook-secret');
    } finally {
      await exchange.close();
    }
  });
});
