import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { HttpRequest, Transport } from '../../../../../src/venues/futuur/rest/transport.js';
import { openTransport } from '../../../../../src/venues/futuur/rest/transport.js';
import { WithheldError } from '../../../../../src/venues/outcome.js';
import { answers, hangs, inTurn, resets, venueDouble } from '../../../../support/wire/venue-double.js';

function open(origin: string, connections = 1): Transport {
  const transport = openTransport({ origin, connections, answerBytes: 1_000 });
  onTestFinished(() => transport.close());
  return transport;
}

const request = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  path: '/orders/',
  headers: () => ({ 'x-test': '1' }),
  body: '{}',
  timeoutMs: 5_000,
  beforeFirstByte: () => undefined,
  ...changes,
});

describe('a request on its way', () => {
  it('brings the answer back with status, headers and body', async () => {
    const venue = await venueDouble(answers(201, { id: 7 }, { 'x-here': 'yes' }));
    const result = await open(venue.url).send(request());
    expect(result).toMatchObject({
      kind: 'answered',
      status: 201,
      headers: { 'x-here': 'yes' },
      body: '{"id":7}',
    });
    expect(venue.received).toMatchObject([
      { method: 'POST', path: '/orders/', headers: { 'x-test': '1' }, body: '{}' },
    ]);
  });

  it('reuses its connection', async () => {
    const venue = await venueDouble();
    const transport = open(venue.url);
    for (let count = 0; count < 5; count++) await transport.send(request());
    expect(venue.connections()).toBe(1);
  });

  it('was not sent when nobody listens', async () => {
    const venue = await venueDouble();
    await venue.close();
    expect(await open(venue.url).send(request())).toEqual({ kind: 'not-sent', reason: 'ECONNREFUSED' });
  });

  it('was not sent when the host has no address', async () => {
    const result = await open('http://no-such-host.invalid').send(request());
    expect(result.kind).toBe('not-sent');
  });

  it('is lost when the connection is cut, and is not sent again', async () => {
    const venue = await venueDouble(resets);
    const result = await open(venue.url).send(request({ method: 'GET', body: null }));
    expect(result.kind).toBe('lost');
    expect(venue.received).toHaveLength(1);
  });

  it('is lost when the connection is cut in the middle of the answer', async () => {
    const venue = await venueDouble((_received, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => response.socket?.destroy());
    });
    expect((await open(venue.url).send(request())).kind).toBe('lost');
  });

  it('is lost when its time is over', async () => {
    const venue = await venueDouble(inTurn(answers(200, {}), hangs));
    const transport = open(venue.url);
    await transport.send(request());
    const result = await transport.send(request({ timeoutMs: 50 }));
    expect(result).toEqual({ kind: 'lost', reason: 'time-out' });
  });

  it('is lost when the answer is larger than allowed', async () => {
    const venue = await venueDouble(answers(200, 'x'.repeat(2_000)));
    expect(await open(venue.url).send(request())).toEqual({
      kind: 'lost',
      reason: 'answer larger than 1000 bytes',
    });
  });

  it('was not sent when it waited for a connection until its time was over, and never leaves later', async () => {
    let release = (): void => undefined;
    const venue = await venueDouble(
      inTurn(
        (received, response) => {
          release = () => answers(200, {})(received, response);
        },
        answers(200, {}),
      ),
    );
    const transport = open(venue.url);
    const first = transport.send(request({ path: '/first/' }));
    const second = await transport.send(request({ path: '/second/', timeoutMs: 30 }));
    expect(second).toEqual({ kind: 'not-sent', reason: 'time-out' });
    release();
    await first;
    await transport.send(request({ path: '/third/' }));
    expect(venue.received.map(({ path }) => path)).toEqual(['/first/', '/third/']);
  });

  it('is lost when the transport closes under it', async () => {
    const venue = await venueDouble(hangs);
    const transport = open(venue.url);
    const result = transport.send(request());
    await expect.poll(() => venue.received).toHaveLength(1);
    await transport.close();
    expect((await result).kind).toBe('lost');
    expect((await transport.send(request())).kind).toBe('not-sent');
  });
});

describe('the moment before the first byte', () => {
  it('can keep the request back, and the connection stays', async () => {
    const venue = await venueDouble();
    const transport = open(venue.url);
    await transport.send(request());
    const beforeFirstByte = (): never => {
      throw new WithheldError('deadline');
    };
    expect(await transport.send(request({ beforeFirstByte }))).toEqual({
      kind: 'not-sent',
      reason: 'deadline',
    });
    await transport.send(request());
    expect(venue.received).toHaveLength(2);
    expect(venue.connections()).toBe(1);
  });

  it('comes when a connection is free, not when the request was handed over', async () => {
    let release = (): void => undefined;
    const venue = await venueDouble((received, response) => {
      release = () => answers(200, {})(received, response);
    });
    const transport = open(venue.url);
    const moments: string[] = [];
    void transport.send(request({ beforeFirstByte: () => moments.push('first') }));
    void transport.send(request({ beforeFirstByte: () => moments.push('second') }));
    await expect.poll(() => venue.received).toHaveLength(1);
    expect(moments).toEqual(['first']);
    release();
    await expect.poll(() => moments).toEqual(['first', 'second']);
  });

  it('asks for headers again when they waited long for a connection, before it is asked itself', async () => {
    let release = (): void => undefined;
    const venue = await venueDouble((received, response) => {
      release = () => answers(200, {})(received, response);
    });
    const transport = open(venue.url);
    void transport.send(request());
    await expect.poll(() => venue.received).toHaveLength(1);
    const log: string[] = [];
    const second = transport.send(
      request({
        headers: () => ({ 'x-try': String(log.push('headers')) }),
        beforeFirstByte: () => log.push('first byte'),
      }),
    );
    const now = performance.now();
    const later = vi.spyOn(performance, 'now').mockReturnValue(now + 1_500);
    onTestFinished(() => later.mockRestore());
    release();
    await expect.poll(() => venue.received).toHaveLength(2);
    release();
    expect((await second).kind).toBe('answered');
    expect(log).toEqual(['headers', 'headers', 'first byte']);
    expect(venue.received[1]?.headers['x-try']).toBe('2');
  });
});
