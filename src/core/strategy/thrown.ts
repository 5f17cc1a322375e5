/** Says in words what a strategy threw. Apart from `fault.ts`, because it needs the types of Node, which `oddsmith/sdk` may not. */
/** Above this a message is cut: what a strategy throws is not ours to trust. */
const MOST_CHARACTERS = 500;

/** What was thrown, in words, and where in the strategy's file; never throws itself, whatever was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown).slice(0, MOST_CHARACTERS);
    const place = placeIn(String(thrown.stack));
    const behind = place === null ? '' : ` (${place})`.slice(-MOST_CHARACTERS);
    return `${thrown.name}: ${thrown.message}`.slice(0, MOST_CHARACTERS - behind.length) + behind;
  } catch {
    return 'something that cannot be described';
  }
}

/** One line of a stack: the address of the file, its name, line and column. */
const FRAME = /^ +at (?:.* \()?((?:file:\/\/)?\/(?:[^/]*\/)*)([^/]+:\d+:\d+)\)?$/;
const OWN_FOLDER = new URL('../..', import.meta.url);

/** The first file of a stack that is neither a library's nor the engine's, which is the strategy's: `mine.ts:12:5`. */
function placeIn(stack: string): string | null {
  for (const line of stack.split('\n')) {
    const [, folder = '', place = ''] = FRAME.exec(line) ?? [];
    const isOurs =
      folder.includes('/node_modules/') || folder.replace('file://', '').startsWith(OWN_FOLDER.pathname);
    if (place !== '' && !isOurs) return place;
  }
  return null;
}
