/** Where a fault happens: requests of a method and a path, or frames. */
import { nearest } from '../../../domain/nearest.js';
import {
  type Endpoint,
  type EndpointName,
  ENDPOINTS,
  VERSION_PREFIX,
} from '../../futuur/protocol/rest/endpoints.js';

/** What a rule says instead of method and path when it is about frames. */
export const FRAMES = 'ws';

/** Requests that a rule is about. */
export interface RequestTarget {
  /** In capitals; `*` is any. */
  readonly method: string;
  /** Of the bare path; those in braces stand for any one segment. */
  readonly segments: readonly string[];
}

const TARGET = /^([A-Za-z]+|\*) (\/\S*)$/;

/** @returns null when the text is not a method and a path */
export function readTarget(on: string): RequestTarget | null {
  const [, method, path] = TARGET.exec(on) ?? [];
  if (method === undefined || path === undefined) return null;
  const bare = path.startsWith(`${VERSION_PREFIX}/`) ? path.slice(VERSION_PREFIX.length) : path;
  return { method: method.toUpperCase(), segments: segmentsOf(bare) };
}

export function matchesRequest(target: RequestTarget, method: string, path: string): boolean {
  if (target.method !== '*' && target.method !== method) return false;
  const found = segmentsOf(path);
  return (
    found.length === target.segments.length &&
    target.segments.every((segment, index) => isAny(segment) || segment === found[index])
  );
}

/** Endpoints of which some request matches the target. */
export const endpointsOf = ({ method, segments }: RequestTarget): readonly EndpointName[] =>
  NAMES.filter((name) => {
    const endpoint: Endpoint = ENDPOINTS[name];
    const own = segmentsOf(endpoint.path);
    const isMethod = method === '*' || method === endpoint.method;
    return isMethod && own.length === segments.length && own.every((one, at) => fits(segments[at]!, one));
  });

/** The endpoint that a text which matches none most likely meant, as a rule would name it; null when none is close. */
export const nearestTarget = (on: string): string | null => nearest(on, NAMES.map(targetText));

const targetText = (name: EndpointName): string =>
  `${ENDPOINTS[name].method} ${ENDPOINTS[name].path.replace(':id', '{id}')}`;

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

const isAny = (segment: string): boolean => segment.startsWith('{');

const fits = (segment: string, own: string): boolean =>
  isAny(segment) || (own === ':id' ? /^\d{1,15}$/.test(segment) : segment === own);
