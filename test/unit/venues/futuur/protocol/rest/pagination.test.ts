import { describe, expect, it } from 'vitest';
import {
  nextOffset,
  pageWindow,
  pagination,
  type PageRequest,
} from '../../../../../../src/venues/futuur/protocol/rest/pagination.js';

const request = (limit?: number, offset?: number): PageRequest => ({
  url: 'http://127.0.0.1:4010/orders/',
  pairs: [
    ['status', 'open'],
    ['offset', String(offset ?? 0)],
    ['currencies', 'USDC'],
    ['currencies', 'USD'],
  ],
  limit,
  offset,
});

describe('the pagination member', () => {
  it('links to both neighbours and keeps every other parameter', () => {
    expect(pagination(request(10, 20), 45)).toEqual({
      total: 45,
      next: 'http://127.0.0.1:4010/orders/?status=open&currencies=USDC&currencies=USD&limit=10&offset=30',
      previous: 'http://127.0.0.1:4010/orders/?status=open&currencies=USDC&currencies=USD&limit=10&offset=10',
      page_size: 10,
      offset: 20,
    });
  });

  it('has no neighbours on a single page', () => {
    expect(pagination(request(), 20)).toEqual({
      total: 20,
      next: null,
      previous: null,
      page_size: 20,
      offset: 0,
    });
  });

  it('reaches back to the very first record', () => {
    expect(pagination(request(10, 5), 6).previous).toContain('offset=0');
    expect(pagination(request(10, 500), 6).next).toBeNull();
  });

  it.each([
    [undefined, 20],
    [0, 20],
    [1, 1],
    [100, 100],
    [1_000, 100],
  ])('a limit of %j gives pages of %i', (limit, size) => {
    expect(pageWindow(request(limit)).size).toBe(size);
  });
});

it('the next offset follows from size and offset until there is no next page', () => {
  const page = pagination(request(10, 20), 45);
  expect(nextOffset(page)).toBe(30);
  expect(nextOffset({ ...page, next: null })).toBeNull();
  expect(nextOffset({ ...page, page_size: 0 })).toBeNull();
});
