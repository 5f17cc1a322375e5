/** Events and markets by the titles of the venue. */

/**
 * @typedef {import('../../analytics/analysis.js').RunAnalysis} RunAnalysis
 * @typedef {{ event: (id: string) => string, market: (id: string) => string, whole: (id: string) => string }} Names  `whole`: a market with its event
 */

/** An id stands for what has no title. @param {RunAnalysis} run  @returns {Names} */
export function namesOf({ events, markets }) {
  const eventTitles = new Map(events.map(({ id, title }) => [id, title]));
  const marketTitles = new Map(markets.map(({ id, title }) => [id, title]));
  const whole = new Map(markets.map(({ id, title, eventId }) => [id, both(eventTitles.get(eventId), title)]));
  return {
    event: (id) => eventTitles.get(id) ?? id,
    market: (id) => marketTitles.get(id) ?? id,
    whole: (id) => whole.get(id) ?? id,
  };
}

/** @param {string | undefined} event  @param {string} market */
const both = (event, market) => (event === undefined || event === market ? market : `${event} – ${market}`);
