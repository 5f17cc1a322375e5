import { describe, expect, it, onTestFinished } from 'vitest';
import { startListener } from '../../../src/dashboard/listener.js';

const TOKEN = '0123456789abcdef';

interface Scene {
  readonly token?: string | null;
  readonly mayResume?: boolean;
}

async function start({ token = TOKEN, mayResume = true }: Scene = {}) {
  const told: string[] = [];
  const commands = {
    kill: (reason: string) => void told.push(`kill: ${reason}`),
    resume: () => (told.push('resume'), mayResume),
  };
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    readiness: () => ({ ready: true, reasons: [] }),
    commands: token === null ? null : { token, ...commands },
  });
  onTestFinished(() => listener.close());
  const post = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    return (await fetch(`${listener.url}${path}`, { method: 'POST', headers })).status;
  };
  return { told, post };
}

describe('commands over HTTP', () => {
  it('are carried out with the token', async () => {
    const { told, post } = await start();
    expect(await post('/kill', `Bearer ${TOKEN}`)).toBe(200);
    expect(await post('/resume', `Bearer ${TOKEN}`)).toBe(200);
    expect(told).toEqual(['kill: POST /kill', 'resume']);
  });

  it.each([undefined, '', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN, `bearer ${TOKEN}`])(
    'are refused with %s',
    async (authorization) => {
      const { told, post } = await start();
      expect(await post('/kill', authorization)).toBe(401);
      expect(await post('/resume', authorization)).toBe(401);
      expect(told).toEqual([]);
    },
  );

  it('are not taken at all without a token in the configuration', async () => {
    const { told, post } = await start({ token: null });
    expect(await post('/kill', 'Bearer null')).toBe(403);
    expect(told).toEqual([]);
  });

  it('cannot resume behind a fence', async () => {
    const { post } = await start({ mayResume: false });
    expect(await post('/resume', `Bearer ${TOKEN}`)).toBe(409);
  });
});
