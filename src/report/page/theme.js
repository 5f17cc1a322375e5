/// <reference lib="dom" />
import { el } from './dom.js';

/** @type {Map<Element, () => void>} */
const painters = new Map();

/**
 * Canvases know no style sheets: they are painted again when the colours change.
 * @param {Element} box  what is painted; forgotten once it has left the page
 * @param {() => void} paint
 */
export function onTheme(box, paint) {
  painters.set(box, paint);
}

function repaint() {
  for (const [box, paint] of painters)
    if (box.isConnected) paint();
    else painters.delete(box);
}

/** @param {string} name  of a custom property, without dashes  @returns {string} its value now */
export const color = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Line colours and dashes of the scenarios: told apart without seeing colours, too. */
const SCENARIOS = /** @type {Record<string, { color: string, dash: number[] }>} */ ({
  pessimistic: { color: 'orange', dash: [] },
  expected: { color: 'blue', dash: [8, 4] },
  optimistic: { color: 'green', dash: [2, 3] },
});

/** @param {string} scenario  @returns {{ color: string, dash: number[] }} name of a custom property, dash pattern */
export const scenarioStyle = (scenario) => SCENARIOS[scenario] ?? { color: 'blue', dash: [] };

/** A button that goes between light and dark, beginning with what the system prefers. */
export function themeButton() {
  const root = document.documentElement;
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset['theme'] ?? (prefersDark.matches ? 'dark' : 'light')) === 'dark';
  const button = el('button', { type: 'button' });
  const name = () => (button.textContent = isDark() ? 'Light' : 'Dark');
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    name();
    repaint();
  });
  prefersDark.addEventListener('change', () => {
    name();
    repaint();
  });
  name();
  return button;
}
