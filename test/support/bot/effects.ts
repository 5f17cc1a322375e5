/** Effects as the engine emits them, for those who carry them out. */
import type { Approved, SendEffect, VenueRequest } from '../../../src/domain/effects.js';
import { micros } from '../../../src/domain/units.js';

/** Far enough ahead for any test. */
const FAR = micros(4_000_000_000_000_000);

export const send = (requestId: number, request: VenueRequest, deadline = FAR): SendEffect => ({
  kind: 'send',
  requestId,
  request,
  deadline,
});

/** As if the risk gate had let it pass. */
export const approved = <Value>(value: Value): Approved<Value> => value as Approved<Value>;
