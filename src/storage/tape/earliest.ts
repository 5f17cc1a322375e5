/** @returns the source whose next line is the oldest; on a tie the one that was named first; null when all are at their end */
export function earliest<Source extends { readonly next: { readonly at: number } | null }>(
  sources: readonly Source[],
): Source | null {
  let first: Source | null = null;
  let firstAt = Infinity;
  for (const source of sources) {
    const at = source.next?.at ?? Infinity;
    if (at >= firstAt) continue;
    first = source;
    firstAt = at;
  }
  return first;
}
