import type { FastifyReply } from 'fastify';
import type { Micros } from '../../domain/units.js';
import type { Clock } from '../../core/ports/clock.js';
import { type Delivery, RESET } from '../faults/request-faults.js';
import type { Answer } from './answer.js';

const MICROS_PER_MS = 1_000;

/** Writes the answer now. */
export function send(reply: FastifyReply, answer: Answer): void {
  void reply.code(answer.status).headers(answer.headers);
  if (answer.text === '') void reply.send();
  else void reply.type(answer.contentType).send(answer.text);
}

/** Writes the answer when it is due, or ends the connection without one. */
export function deliver(clock: Clock, reply: FastifyReply, delivery: Delivery): void {
  if (delivery === RESET) {
    reply.hijack();
    reply.raw.socket?.resetAndDestroy();
  } else if (delivery.delayMs === 0) send(reply, delivery.answer);
  else {
    const due = (clock.now() + delivery.delayMs * MICROS_PER_MS) as Micros;
    clock.at(due, () => send(reply, delivery.answer));
  }
}
