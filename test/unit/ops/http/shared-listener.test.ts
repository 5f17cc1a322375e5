import { describe, expect, it, onTestFinished } from 'vitest';
import { mergedExposition, SharedListener } from '../../../../src/ops/http/shared-listener.js';
import { toldApi } from '../../../support/bot/told-api.js';

const TOKEN = 'a-token-of-sixteen-signs';

async function scene() {
  const shared = await SharedListener.open({ host: '127.0.0.1', port: 0 }, ['one', 'two']);
  onTestFinished(() => shared.close());
  const mount = async (name: string, reasons: readonly string[] = []) => {
    const { api, told } = toldApi();
    const listener = await shared.mount(name, {
      host: '127.0.0.1',
      port: 0,
      metrics: () =>
        Promise.resolve({
          contentType: 'text/plain; version=0.0.4',
          text: `# HELP x Of each.\n# TYPE x gauge\nx{account="${name}"} 1\n`,
        }),
      readiness: () => ({ ready: reasons.length === 0, reasons }),
      commands: { token: TOKEN, kill: () => undefined, resume: () => true, fairValues: () => null },
      secret: `secret of ${name}`,
      api,
    });
    return { listener, told };
  };
  return { shared, mount };
}

const act = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/api/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'pause', scope: {} }),
  });

describe('one address of several bots', () => {
  it('serves each below its name: page, API and actions', async () => {
    const { mount } = await scene();
    const [one, two] = [await mount('one'), await mount('two')];
    expect((await act(one.listener.url, TOKEN)).status).toBe(200);
    expect([one.told.length, two.told.length]).toEqual([1, 0]);
    expect((await act(two.listener.url, 'secret of one')).status).toBe(401);
    const page = await fetch(one.listener.url);
    expect([page.url, page.status]).toEqual([`${one.listener.url}/`, 200]);
    const main = await fetch(new URL('page/main.js', page.url));
    expect(main.headers.get('content-type')).toContain('text/javascript');
    expect((await fetch(`${two.listener.url}/api/markets`)).status).toBe(200);
    expect((await fetch(`${two.listener.url.replace('two', 'three')}/api/markets`)).status).toBe(404);
  });

  it('says on top of all bots which there are, whether all are ready, and their metrics together', async () => {
    const { shared, mount } = await scene();
    await mount('one');
    const isAbsent = { ready: false, accounts: { two: { ready: false, reasons: ['it does not run'] } } };
    const before = await fetch(`${shared.url}/ready`);
    expect([before.status, await before.json()]).toMatchObject([503, isAbsent]);
    expect(await (await fetch(shared.url)).text()).toContain('two</a> not ready: it does not run');
    const stale = await mount('two', ['the book of <11> is stale']);
    expect(await (await fetch(shared.url)).text()).toContain('the book of &#60;11&#62; is stale');
    const ready = await fetch(`${shared.url}/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { accounts: { one: { ready: true } } }]);
    expect(await (await fetch(`${shared.url}/metrics`)).text()).toBe(
      '# HELP x Of each.\n# TYPE x gauge\nx{account="one"} 1\nx{account="two"} 1\n',
    );
    await stale.listener.close();
    const two = await mount('two');
    expect((await fetch(`${shared.url}/ready`)).status).toBe(200);
    await two.listener.close();
    const after = await fetch(`${shared.url}/ready`);
    expect([after.status, await after.json()]).toMatchObject([503, isAbsent]);
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    for (const path of ['', '/ready', '/metrics'])
      expect((await fetch(`${shared.url}${path}`, foreign)).status).toBe(403);
  });
});

it('metrics of several bots have each head once', () => {
  const of = (account: string): string =>
    ['a', 'b']
      .map((name) => `# HELP ${name} h\n# TYPE ${name} gauge\n${name}{account="${account}"} 1\n`)
      .join('\n');
  expect(mergedExposition([of('1'), of('2')]).split('\n')).toEqual([
    '# HELP a h',
    '# TYPE a gauge',
    'a{account="1"} 1',
    'a{account="2"} 1',
    '',
    '# HELP b h',
    '# TYPE b gauge',
    'b{account="1"} 1',
    'b{account="2"} 1',
    '',
  ]);
});
