/** The import statements of one TypeScript file. */
import { Visitor, parseSync } from 'oxc-parser';

/**
 * `target` is the text between the quotes, null when it is computed; `typeOnly` when nothing is left of the
 * statement after compilation.
 * @typedef {{ file: string, line: number, target: string | null, typeOnly: boolean }} Import
 */

/**
 * @param {string} file  for the report; its ending selects the language
 * @param {string} text
 * @returns {Import[]} in the order of the text
 * @throws Error when the file does not parse: an unread file must not pass
 */
export function importsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {(Import & { start: number })[]} */
  const found = [];
  /** @param {{ start: number }} node  @param {unknown} target  @param {boolean} typeOnly */
  const add = ({ start }, target, typeOnly) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, target: typeof target === 'string' ? target : null, typeOnly, start });
  };
  new Visitor({
    ImportDeclaration: (node) =>
      add(node, node.source.value, node.importKind === 'type' || onlyTypes(node.specifiers)),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node, node.source.value, node.exportKind === 'type');
    },
    ExportAllDeclaration: (node) => add(node, node.source.value, node.exportKind === 'type'),
    ImportExpression: (node) => add(node, literal(node.source), false),
    TSImportType: (node) => add(node, literal(node.source), true),
  }).visit(program);
  return found.sort((a, b) => a.start - b.start).map(({ start: _start, ...rest }) => rest);
}

/** @param {readonly { type: string, importKind?: string }[]} specifiers  `import { type A, type B }` */
const onlyTypes = (specifiers) =>
  specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type');

/** @param {{ type: string, value?: unknown }} node */
const literal = (node) => (node.type === 'Literal' ? node.value : null);
