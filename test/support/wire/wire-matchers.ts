/** How scalars look on the wire. */
export const DECIMAL_TEXT = /^-?\d+(\.\d+)?$/;
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;
/** Realtime times have milliseconds (specification 6.3). */
export const ISO_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
