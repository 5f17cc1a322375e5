/** Receivers of alerts: each sends one message, once. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ReceiverSettings } from '../../settings/index.js';
import { type Alert, headline } from './alert.js';

/** A receiver that does not answer for so long has failed. */
const TIMEOUT_MS = 10_000;
/** The shortest of all receivers takes this much. */
const MOST_CHARACTERS = 1_900;

/** What became of a message. */
export type Outcome =
  | { readonly kind: 'sent' }
  /** Worth another attempt, not before so long. */
  | { readonly kind: 'failed'; readonly reason: string; readonly afterMs: number }
  /** Another attempt would end alike. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Sends one message. Never throws. */
export type Send = (alert: Alert) => Promise<Outcome>;

const SENT: Outcome = { kind: 'sent' };
const failed = (reason: string, afterMs = 0): Outcome => ({ kind: 'failed', reason, afterMs });

export function senderOf(settings: ReceiverSettings): Send {
  switch (settings.kind) {
    case 'webhook':
      return (alert) => post(settings.url, alert, settings.token);
    case 'slack':
      return (alert) => post(settings.url, { text: escaped(messageOf(alert)) });
    case 'discord':
      return (alert) => post(settings.url, { content: messageOf(alert), allowed_mentions: { parse: [] } });
    case 'telegram':
      return (alert) =>
        post(`${settings.api.replace(/\/$/, '')}/bot${settings.token}/sendMessage`, {
          chat_id: settings.chat,
          text: messageOf(alert),
        });
    case 'email':
      return (alert) => mail(settings, alert);
    case 'desktop':
      return (alert) => notify(alert);
  }
}

/** Where `<` begins a mention, a link or markup: titles of the venue may contain it. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function messageOf(alert: Alert): string {
  const text = [headline(alert), alert.text, `${alert.at}  run ${alert.runId}`]
    .filter((line) => line !== '')
    .join('\n');
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text;
}

/** Reasons never repeat the address, which is a secret. */
async function post(url: string, body: object, token: string | null = null): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return outcomeOf(response);
  } catch (error) {
    return failed(reasonOf(error));
  }
}

function outcomeOf({ ok, status, headers }: Response): Outcome {
  if (ok) return SENT;
  const reason = `HTTP status ${status}`;
  const isPassing = status >= 500 || status === 429 || status === 408;
  if (!isPassing) return { kind: 'refused', reason };
  const seconds = Number(headers.get('retry-after') ?? 0);
  return failed(reason, Number.isFinite(seconds) ? seconds * 1_000 : 0);
}

/** The code of the failure: messages of libraries may quote addresses. */
function reasonOf(error: unknown): string {
  const { name, code, cause } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  if (typeof code === 'string') return code;
  const { code: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return typeof inner === 'string' ? inner : name;
}

async function mail(
  settings: Extract<ReceiverSettings, { readonly kind: 'email' }>,
  alert: Alert,
): Promise<Outcome> {
  // Loaded when the first mail is sent: most bots send none.
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, user, password, from, to } = settings;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== null && password !== null && { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  try {
    await transport.sendMail({ from, to: [...to], subject: headline(alert), text: messageOf(alert) });
    return SENT;
  } catch (error) {
    const { responseCode = 0 } = error as { readonly responseCode?: number };
    const reason = responseCode === 0 ? reasonOf(error) : `SMTP status ${responseCode}`;
    return responseCode >= 500 ? { kind: 'refused', reason } : failed(reason);
  } finally {
    transport.close();
  }
}

const run = promisify(execFile);
const SCRIPT = [
  'on run arguments',
  'display notification (item 2 of arguments) with title (item 1 of arguments)',
  'end run',
];

async function notify(alert: Alert): Promise<Outcome> {
  const title = headline(alert);
  try {
    if (process.platform === 'darwin')
      await run('osascript', [...SCRIPT.flatMap((line) => ['-e', line]), title, alert.text], {
        timeout: TIMEOUT_MS,
      });
    else
      await run('notify-send', ['--app-name=oddsmith', '--', title, escaped(alert.text)], {
        timeout: TIMEOUT_MS,
      });
    return SENT;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { kind: 'refused', reason: 'notify-send is not installed' };
    return failed(`the notification failed (${String(code)})`);
  }
}
