/** Series of a report brought onto one line of times, so that they can be drawn together. */

/**
 * @typedef {import('../../analytics/analysis.js').SeriesColumns} SeriesColumns
 * @typedef {{ times: number[], values: (number | null)[][] }} Aligned  seconds since the epoch, a column per series
 */

/** @param {SeriesColumns} series  @param {number} index  @returns {number} seconds at which its bucket begins */
const timeOf = (series, index) => beginOf(series, series.bucket[index] ?? 0);

/** @param {SeriesColumns} series  @param {number} bucket */
const beginOf = ({ startedAt, widthMicros }, bucket) => (startedAt + bucket * widthMicros) / 1e6;

/**
 * Step functions on the union of their times; between its own times each holds what it had.
 * @param {readonly SeriesColumns[]} all
 * @param {number} endedAt  microseconds: everything holds until then
 * @param {readonly ('min' | 'max' | 'last')[]} [kinds]  which value of the bucket, per series
 * @returns {Aligned}
 */
export function align(all, endedAt, kinds = []) {
  const union = new Set(all.flatMap((series) => series.bucket.map((_, index) => timeOf(series, index))));
  // Where an extreme is drawn, it ends with its bucket.
  all.forEach((series, number) => {
    const drawn = (kinds[number] ?? 'last') === 'last' ? [] : series.bucket;
    const ends = drawn.map((bucket) => beginOf(series, bucket + 1));
    for (const end of ends) if (end < endedAt / 1e6) union.add(end);
  });
  union.add(endedAt / 1e6);
  const times = [...union].sort((a, b) => a - b);
  return { times, values: all.map((series, number) => held(series, times, kinds[number] ?? 'last')) };
}

/** @param {SeriesColumns} series  @param {readonly number[]} times  @param {'min' | 'max' | 'last'} kind */
function held(series, times, kind) {
  let next = 0;
  /** @type {number | null} */
  let value = null;
  return times.map((time) => {
    let isNew = false;
    while (next < series.bucket.length && timeOf(series, next) <= time) {
      value = series[kind][next++] ?? null;
      isNew = true;
    }
    // The extremes of a bucket belong to it alone; afterwards its last value holds.
    const shown = value;
    if (isNew) value = series.last[next - 1] ?? null;
    return shown;
  });
}

/** A pause longer than this is cut out of a picture, seconds, */
const LONGEST_PAUSE = 3_600;
/** and this is left of it. */
const LEFT_OF_PAUSE = 120;

/**
 * Times with the long pauses between them cut out, for runs over events that lie hours or days apart.
 * @param {readonly number[]} times  seconds, ascending
 * @returns {{ shown: number[], real: (shown: number) => number }} where each stands, and the time that stands there
 */
export function withoutPauses(times) {
  let cut = 0;
  const shown = times.map((time, index) => {
    const pause = time - (times[index - 1] ?? time);
    if (pause > LONGEST_PAUSE) cut += pause - LEFT_OF_PAUSE;
    return time - cut;
  });
  const real = (/** @type {number} */ at) => {
    const next = shown.findIndex((one) => one > at);
    const before = next < 0 ? shown.length - 1 : Math.max(0, next - 1);
    // What was cut first: the sum of two times since 1970 has no room for its milliseconds.
    return at + ((times[before] ?? 0) - (shown[before] ?? 0));
  };
  return { shown, real };
}
