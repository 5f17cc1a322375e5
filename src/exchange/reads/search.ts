/** Full-text search of listings: every word must occur in one of the texts, without regard to case. */
export function matchesSearch(search: string | undefined, texts: readonly string[]): boolean {
  if (search === undefined) return true;
  const haystack = texts.join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => haystack.includes(word));
}
