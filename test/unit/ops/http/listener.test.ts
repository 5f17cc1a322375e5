import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../../src/domain/errors.js';
import type { ListenerOptions } from '../../../../src/ops/http/listener.js';
import { toldApi } from '../../../support/bot/told-api.js';
import { startListener } from '../../../../src/ops/http/listener.js';

async function start(options: Partial<ListenerOptions> = {}) {
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'oddsmith_x 1\n' }),
    readiness: () => ({ ready: true, reasons: [] }),
    commands: null,
    secret: 'of-this-run-alone',
    api: toldApi().api,
    ...options,
  });
  onTestFinished(() => listener.close());
  return listener;
}

const portOf = (url: string): number => Number(new URL(url).port);

describe('the listener of a bot', () => {
  it('gives the metrics with their content type', async () => {
    const { url } = await start();
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4');
    expect(await response.text()).toBe('oddsmith_x 1\n');
  });

  it('is alive', async () => {
    const { url } = await start();
    const response = await fetch(`${url}/health`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { alive: true },
    });
  });

  it('is ready, or says why not with 503', async () => {
    let readiness = { ready: true, reasons: [] as string[] };
    const { url } = await start({ readiness: () => readiness });
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    readiness = { ready: false, reasons: ['the connection is lost'] };
    const response = await fetch(`${url}/ready`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 503,
      body: readiness,
    });
  });

  it('takes the usual port or a free one when the file states none', async () => {
    const [first, second] = [await start({ port: null }), await start({ port: null })];
    expect(portOf(second.url)).not.toBe(portOf(first.url));
    expect((await fetch(`${second.url}/health`)).status).toBe(200);
  });

  it('refuses a stated port that is busy', async () => {
    const port = portOf((await start()).url);
    await expect(start({ port })).rejects.toThrow(
      new UsageError(`http.port: ${port} is busy; state a free one, 0 for any, or leave the key out`),
    );
  });

  it.each([
    ['203.0.113.9', 'EADDRNOTAVAIL'],
    ['no.such.host.invalid', /E[A-Z_]+/.source],
  ])('takes an address that is none of this machine for a mistake of the file: %s', async (host, code) => {
    const error = await start({ host }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(
      new RegExp(`^http\\.host: ${host} cannot be listened on \\(${code}\\); `),
    );
  });

  it('answers other paths with 404 and failures with 500, and lives on', async () => {
    const { url } = await start({ metrics: () => Promise.reject(new Error('broken')) });
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it('is gone after close, whoever was still connected', async () => {
    const listener = await start();
    await (await fetch(`${listener.url}/health`)).text();
    await listener.close();
    await expect(fetch(`${listener.url}/health`)).rejects.toThrow('fetch failed');
  });
});
