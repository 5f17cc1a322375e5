import type { FastifyRequest } from 'fastify';

/** `:id` of a route: an integer that a double holds exactly; any other text is another path. */
export const ID_IN_PATH = ':id(^\\d{1,15}$)';

/** The number in the path, 0 where the route has none. */
export function idOf(request: FastifyRequest): number {
  const { id = '0' } = request.params as { readonly id?: string };
  return Number(id);
}
