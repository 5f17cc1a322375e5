import type { OrderInput } from '../../../../domain/inputs.js';
import type { OrderReport } from '../../../../domain/orders.js';
import type { Shares } from '../../../../domain/units.js';
import { orderReport, type ToldOfOrder } from './order-report.js';

/** What a frame tells of an order. */
export interface ToldOrder extends ToldOfOrder, Omit<OrderInput, 'kind' | 'report'> {
  /** null where the frame does not say. */
  readonly filledNow: Shares | null;
}

/** The input for it, made in one place as its report is. */
export const orderUpdateOf = (told: ToldOrder): OrderInput => ({
  kind: 'order',
  report: reportOf(told),
  cancelReason: told.cancelReason,
  systemInitiated: told.systemInitiated,
  venueTime: told.venueTime,
});

function reportOf(told: ToldOrder): OrderReport {
  const report = orderReport(told);
  return told.filledNow === null ? report : { ...report, filledNow: told.filledNow };
}
