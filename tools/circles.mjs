/** Finds circles among imports. */

/**
 * `file` and `line` say where the import behind the edge is written.
 * @typedef {{ from: string, to: string, file: string, line: number }} Edge
 * @typedef {{ file: string, line: number, text: string }} Violation
 */

/**
 * Depth-first search: an edge that returns to a node still on the path closes a circle.
 * @param {readonly Edge[]} edges
 * @returns {Violation[]} at least one for every knot of circles; empty when there is none
 */
export function circles(edges) {
  const outgoing = byOrigin(edges);
  /** @type {Violation[]} */
  const found = [];
  const finished = new Set();
  /** @param {string} node  @param {readonly string[]} above */
  const visit = (node, above) => {
    if (finished.has(node)) return;
    const path = [...above, node];
    for (const { to, file, line } of outgoing.get(node) ?? []) {
      const start = path.indexOf(to);
      if (start < 0) visit(to, path);
      else
        found.push({ file, line, text: `imports in a circle: ${[...path.slice(start), to].join(' -> ')}` });
    }
    finished.add(node);
  };
  for (const node of outgoing.keys()) visit(node, []);
  return found;
}

/** @param {readonly Edge[]} edges  @returns {Map<string, Edge[]>} */
function byOrigin(edges) {
  /** @type {Map<string, Edge[]>} */
  const groups = new Map();
  for (const edge of edges) {
    const group = groups.get(edge.from);
    if (group === undefined) groups.set(edge.from, [edge]);
    else group.push(edge);
  }
  return groups;
}
