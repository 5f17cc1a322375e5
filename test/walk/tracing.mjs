/**
 * Notes the order in which functions of the built program first run. As a module hook it puts a call of `oddsmithWalk` in
 * front of every function of `dist/src`; where a walk runs, {@link startTrace} defines that call.
 */
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread, threadId } from 'node:worker_threads';
import { parseSync, Visitor } from 'oxc-parser';

const PROGRAM = /\/dist\/src\/(.*\.js)$/;
/** Set for a program that is walked as a whole: where it leaves its trace. */
const TRACE_FILE = process.env['ODDSMITH_WALK_TRACE'];

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  const file = PROGRAM.exec(url)?.[1];
  const loaded = await next(url, context);
  if (file === undefined || loaded.source === undefined) return loaded;
  return {
    ...loaded,
    source: traced(file, Buffer.from(/** @type {Uint8Array} */ (loaded.source)).toString()).source,
  };
}

/**
 * The same program, which says what it runs.
 * @param {string} file
 * @param {string} text
 * @returns {{ source: string, ends: readonly number[] }} `ends`: where in the source each function ends, by its number
 */
export function traced(file, text) {
  /** @type {{ at: number, text: string, closes: number | null }[]} */
  const insertions = [];
  /** @type {number[]} */
  const ends = [];
  /** @param {{ body: { type: string, start: number, end: number } | null, end: number }} node */
  const note = ({ body, end }) => {
    if (body === null) return;
    const number = ends.length;
    ends.push(end);
    const call = `oddsmithWalk(${JSON.stringify(file)},${number})`;
    if (body.type === 'BlockStatement') {
      insertions.push({ at: body.start + 1, text: `${call};`, closes: null });
    } else {
      insertions.push({ at: body.start, text: `(${call},`, closes: null });
      insertions.push({ at: body.end, text: ')', closes: number });
    }
  };
  const { program } = parseSync(file, text);
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(program);
  // Inner functions close before those around them, which have lower numbers.
  insertions.sort((a, b) => a.at - b.at || (b.closes ?? 0) - (a.closes ?? 0));
  let [source, from] = ['', 0];
  for (const { at, text: inserted } of insertions) {
    source += text.slice(from, at) + inserted;
    from = at;
  }
  const lengthBefore = (/** @type {number} */ end, /** @type {number} */ number) =>
    insertions
      .filter(({ at, closes }) => at < end || (at === end && closes !== null && closes >= number))
      .reduce((sum, { text: inserted }) => sum + inserted.length, 0);
  return {
    source: source + text.slice(from),
    ends: ends.map((end, number) => end + lengthBefore(end, number)),
  };
}

/**
 * @typedef {Map<string, number[]>} Trace  functions of each file by their number, in the order in which they first ran
 */

/** @returns {Trace} filled from now on */
export function startTrace() {
  /** @type {Trace} */
  const trace = new Map();
  Object.defineProperty(globalThis, 'oddsmithWalk', {
    configurable: true,
    value: (/** @type {string} */ file, /** @type {number} */ at) => {
      const seen = trace.get(file);
      if (seen === undefined) trace.set(file, [at]);
      else if (!seen.includes(at)) seen.push(at);
    },
  });
  return trace;
}

if (isMainThread || TRACE_FILE !== undefined) {
  const trace = startTrace();
  if (isMainThread) register(import.meta.url);
  if (TRACE_FILE !== undefined)
    process.on('exit', () => writeFileSync(`${TRACE_FILE}.${threadId}`, JSON.stringify([...trace])));
}
