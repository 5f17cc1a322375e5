/** Receivers of alerts for tests: a web server and a mail server on free ports that keep what they get. */
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface WebMessage {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @param statuses answers in turn, the last one for ever */
export async function webReceiver(...statuses: readonly number[]) {
  const got: WebMessage[] = [];
  const server = createWebServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const body = JSON.parse(text) as WebMessage['body'];
      const status = statuses[Math.min(got.length, statuses.length - 1)] ?? 200;
      got.push({ path: url, authorization: headers.authorization, body });
      response.writeHead(status).end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const DIALOGUE: readonly (readonly [RegExp, string])[] = [
  [/^EHLO/, '250-test\r\n250 AUTH PLAIN'],
  [/^AUTH PLAIN/, '235 welcome'],
  [/^(MAIL|RCPT|RSET)/, '250 ok'],
  [/^DATA/, '354 go on'],
  [/^QUIT/, '221 bye'],
];

/** As much of SMTP as a client needs to hand in a mail. @param refusal answer to every recipient */
export async function mailReceiver(refusal: string | null = null) {
  const mails: string[] = [];
  const commands: string[] = [];
  const server = createServer((socket) => {
    let rest = '';
    let mail: string[] | null = null;
    const answer = (line: string): string => {
      if (refusal !== null && line.startsWith('RCPT')) return refusal;
      return DIALOGUE.find(([pattern]) => pattern.test(line))?.[1] ?? '500 unknown';
    };
    const take = (line: string): void => {
      if (mail !== null && line !== '.') return void mail.push(line);
      if (mail !== null) {
        mails.push(mail.join('\n'));
        mail = null;
        return void socket.write('250 taken\r\n');
      }
      commands.push(line);
      if (line.startsWith('DATA')) mail = [];
      socket.write(`${answer(line)}\r\n`);
    };
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
    });
    socket.write('220 test\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { mails, commands, port: (server.address() as AddressInfo).port };
}
