/** What a page shows before its script runs and where none may run: the script is run once while the page is made. */
import { runInNewContext } from 'node:vm';

/** An element that is written down as text; of the document's interface what the pages use. */
class StillElement {
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  hidden = false;
  readonly #attributes = new Map<string, string>();
  readonly #children: (StillElement | string)[] = [];

  constructor(private readonly tag: string) {}

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  append(...children: (StillElement | string)[]): void {
    this.#children.push(...children);
  }

  replaceChildren(...children: (StillElement | string)[]): void {
    this.#children.length = 0;
    this.append(...children);
  }

  /** Nobody presses anything. */
  addEventListener(): void {}

  set textContent(text: string) {
    this.replaceChildren(text);
  }

  /** Of a list: the option that is chosen. */
  get value(): string {
    const options = this.#children.filter((child) => child instanceof StillElement);
    const chosen = options.find((option) => option.getAttribute('selected') !== null) ?? options[0];
    return chosen?.getAttribute('value') ?? '';
  }

  content(): string {
    return this.#children
      .map((child) => (child instanceof StillElement ? child.html() : escapeText(child)))
      .join('');
  }

  html(): string {
    const attributes = [...this.#attributes]
      .map(([name, value]) => ` ${name}="${escapeText(value)}"`)
      .join('');
    return `<${this.tag}${attributes}${this.hidden ? ' hidden' : ''}>${this.content()}</${this.tag}>`;
  }
}

/**
 * @param script of a page: reads the element `report`, fills the element `page`
 * @param report as JSON
 * @returns what it fills in, as HTML; pictures over time are empty
 */
export function stillPage(script: string, report: string): string {
  const page = new StillElement('main');
  const document = {
    createElement: (tag: string) => new StillElement(tag),
    createElementNS: (_: string, tag: string) => new StillElement(tag),
    getElementById: (id: string) => (id === 'page' ? page : { textContent: report }),
    documentElement: new StillElement('html'),
  };
  const matchMedia = () => ({ matches: false, addEventListener: () => undefined });
  const ResizeObserver = class {
    observe(): void {}
  };
  runInNewContext(script, { document, window: {}, matchMedia, ResizeObserver });
  return page.content();
}

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
