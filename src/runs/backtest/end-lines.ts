/** What the profit of a scenario does not say of how it ended, in sentences for people. */
import type { ScenarioTotals } from './scenario-totals.js';

/** A line for each kind; none when every scenario ended clean and flat. */
export const endLines = (scenarios: readonly ScenarioTotals[]): readonly string[] => [
  ...unclean(scenarios),
  ...stillHeld(scenarios),
];

function unclean(scenarios: readonly ScenarioTotals[]): readonly string[] {
  const found = scenarios.filter(({ outcome }) => outcome !== 'clean');
  if (found.length === 0) return [];
  const names = found.map(({ scenario, outcome }) => `${outcome} (${scenario})`);
  return [`the run did not end clean: ${names.join(', ')}`];
}

/** What the book would pay is no cash yet: a thin book pays little, and what it does not take counts nothing at all. */
function stillHeld(scenarios: readonly ScenarioTotals[]): readonly string[] {
  const found = scenarios.filter(({ openShares }) => openShares !== 0);
  if (found.length === 0) return [];
  const values = found.map(
    ({ scenario, openShares, openValue }) =>
      `${openShares.toFixed(2)} shares at ${openValue.toFixed(2)} (${scenario})`,
  );
  return [`not sold at the end, counted at what the book would pay: ${values.join(', ')}`];
}
