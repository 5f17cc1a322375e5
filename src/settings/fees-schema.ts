/** What trades cost, the same in the file of a bot and of an exchange. */
import { z } from 'zod';
import { feeScalar } from './scalars.js';

const feesOfMode = (taker: string) =>
  z
    .strictObject({
      taker: feeScalar.prefault(taker).describe('fee per share taken'),
      maker: feeScalar.prefault('0').describe('fee per share made; negative is a rebate'),
    })
    .prefault({});

/** Per currency mode. Public examples charge takers 0.001 a share of real money (facts, "Trading rules"). */
export const feesSchema = z
  .strictObject({
    play_money: feesOfMode('0').describe('when trading play money'),
    real_money: feesOfMode('0.001').describe('when trading real money'),
  })
  .prefault({});
