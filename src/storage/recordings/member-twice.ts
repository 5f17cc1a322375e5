/** What `JSON.parse` passes over: of a member that stands twice it keeps the last. */

/**
 * @param text of one JSON object, as `JSON.parse` took it
 * @param object what came of it
 * @returns the first of its members that stands there again, null: none does; what lies within its members is not looked at
 */
export function memberTwice(text: string, object: object): string | null {
  // Every member has its colon, so that an ordinary line is only counted.
  if (colonsIn(text) === Object.keys(object).length) return null;
  const names = new Set<string>();
  for (const name of namesIn(text)) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return null;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

function* namesIn(text: string): Generator<string> {
  let depth = 0;
  let quoted = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') {
      const end = closingQuote(text, at);
      quoted = text.slice(at, end + 1);
      at = end;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ':' && depth === 1) yield JSON.parse(quoted) as string;
  }
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
