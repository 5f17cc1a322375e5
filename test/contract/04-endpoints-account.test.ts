/** Specification 4.1 to 4.3 and 4.17: the account and its realtime authorisation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT_IDS, ContractScene } from '../support/contract/contract-scene.js';

let scene: ContractScene;
beforeAll(async () => {
  scene = await ContractScene.start();
});
afterAll(() => scene.close());

describe('4.1 GET /me/', () => {
  test.each(['/me/', '/v2.0/me/'])('%s answers the caller', async (path) => {
    const answer = await scene.as('bob').get(path);
    expect(answer.status).toBe(200);
    expect(answer.at('id')).toBe(ACCOUNT_IDS.bob);
  });

  test('the wallet is what can be spent: a resting bid locks its cost', async () => {
    const before = await scene.as('carol').get('/me/');
    await scene.place('carol', await scene.market(), { price: 0.4, shares: '10' });
    const after = await scene.as('carol').get('/me/');
    expect(Number(after.at('wallet.OOM'))).toBe(Number(before.at('wallet.OOM')) - 4);
  });
});

describe('4.2 POST /me/safe/', () => {
  const body = { safe_address: '0x52908400098527886E0F7030069857D2E4169EE7', chain_id: 137 };

  test.each(['/me/safe/', '/v2.0/me/safe/'])('%s answers the updated user with 200', async (path) => {
    const answer = await scene.as('bob').post(path, body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: ACCOUNT_IDS.bob, is_wallet_user: 'false' });
  });

  test.each(['safe_address', 'chain_id'] as const)('%s is required', async (field) => {
    const { [field]: _left, ...rest } = body;
    const answer = await scene.as('bob').post('/me/safe/', rest);
    expect(answer.status).toBe(400);
    expect(answer.at(`fields.${field}`)).toEqual(['is required']);
  });

  test.each([
    ['safe_address', 7],
    ['chain_id', '137'],
    ['chain_id', 1.5],
  ])('%s: %s is of the wrong type', async (field, value) => {
    const answer = await scene.as('bob').post('/me/safe/', { ...body, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.at(`fields.${field}`)).toEqual([expect.any(String)]);
  });
});

describe('4.3 GET /me/balances/', () => {
  test.each(['/me/balances/', '/v2.0/me/balances/'])('%s: one row per currency', async (path) => {
    const answer = await scene.as('bob').get(path);
    expect(answer.status).toBe(200);
    const currencies = answer.list().map((_, at) => answer.at(`${at}.currency`));
    expect(currencies).toEqual(['OOM', 'USDC', 'USDT', 'USD']);
  });

  test.each(['usdc', 'USDC', 'UsDc'])('currency: %s restricts the array', async (currency) => {
    const answer = await scene.as('bob').get('/me/balances/', { currency });
    expect(answer.list()).toHaveLength(1);
    expect(answer.at('0.currency')).toBe('USDC');
  });

  test('currency: an unknown one leaves nothing', async () => {
    expect((await scene.as('bob').get('/me/balances/', { currency: 'EUR' })).body).toEqual([]);
  });
});

describe('4.17 POST /v2.0/pusher/auth/', () => {
  const socketId = '1234.5678';

  test.each(['/v2.0/pusher/auth/', '/pusher/auth/'])('%s signs the own channel', async (path) => {
    const channel = `private-user-${ACCOUNT_IDS.alice}`;
    const answer = await scene.as('alice').form(path, { channel_name: channel, socket_id: socketId });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ auth: expect.stringMatching(/^local:[0-9a-f]{64}$/) });
  });

  test.each([
    ['a channel of another user', `private-user-${ACCOUNT_IDS.bob}`],
    ['a public channel', 'event'],
    ['an unknown private channel', 'private-orders'],
    ['another spelling of the own id', `private-user-0${ACCOUNT_IDS.alice}`],
  ])('403 for %s', async (_what, channel) => {
    const answer = await scene.authorise('alice', channel, socketId);
    expect(answer.status).toBe(403);
    expect(answer.at('error')).toBe('PermissionDenied');
  });

  test.each(['channel_name', 'socket_id'])('%s is required', async (field) => {
    const fields: Record<string, string> = {
      channel_name: `private-user-${ACCOUNT_IDS.alice}`,
      socket_id: socketId,
    };
    delete fields[field];
    const answer = await scene.as('alice').form('/pusher/auth/', fields);
    expect(answer.status).toBe(400);
    expect(answer.at(`fields.${field}`)).toEqual(['is required']);
  });

  test.each(['', 'abc', '1', '1.2.3', '1234.5678:private-user-2'])('socket_id %j is refused', async (id) => {
    expect((await scene.authorise('alice', `private-user-${ACCOUNT_IDS.alice}`, id)).status).toBe(400);
  });

  test('JSON is not taken', async () => {
    const answer = await scene
      .as('alice')
      .post('/pusher/auth/', { channel_name: 'event', socket_id: socketId });
    expect(answer.status).toBe(415);
  });
});
