import { nearest } from '../../domain/nearest.js';

/**
 * Parameters as a strategy declares them: unit, range, default, and whether they may change while running. The
 * declaration is the schema of the instance's `params:` in the configuration and the help text of the command.
 */

export type ParameterUnit = 'probability' | 'shares' | 'currency' | 'ms' | 'count' | 'ratio';

export interface NumberParameter {
  readonly type: 'number';
  readonly unit: ParameterUnit;
  readonly default: number;
  /** Inclusive. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** May be changed by an operator while the bot runs. */
  readonly live: boolean;
  readonly help: string;
}

export interface ChoiceParameter<Value extends string = string> {
  readonly type: 'choice';
  readonly values: readonly Value[];
  readonly default: Value;
  readonly live: boolean;
  readonly help: string;
}

export interface SwitchParameter {
  readonly type: 'switch';
  readonly default: boolean;
  readonly live: boolean;
  readonly help: string;
}

/** Rows of equal fields, such as the bands of a quoter. */
export interface ListParameter<Fields extends FieldDeclarations = FieldDeclarations> {
  readonly type: 'list';
  readonly fields: Fields;
  readonly default: readonly FieldValues<Fields>[];
  /** Most rows. */
  readonly most: number;
  readonly live: boolean;
  readonly help: string;
}

/** Fields that belong together. Their defaults are those of the fields. */
export interface RecordParameter<Fields extends FieldDeclarations = FieldDeclarations> {
  readonly type: 'record';
  readonly fields: Fields;
  readonly default: FieldValues<Fields>;
  readonly live: boolean;
  readonly help: string;
}

/** A value for each name that a person chooses, such as a weight for each market. */
export interface MapParameter<Of extends FieldDeclaration = FieldDeclaration> {
  readonly type: 'map';
  readonly of: Of;
  readonly default: Readonly<Record<string, FieldValue<Of>>>;
  /** Most names. */
  readonly most: number;
  readonly live: boolean;
  readonly help: string;
}

/** What a field of a row can be. */
export type FieldDeclaration = NumberParameter | ChoiceParameter | SwitchParameter;
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;
export type ParameterDeclaration = FieldDeclaration | ListParameter | RecordParameter | MapParameter;
export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;

/** The value of one field. */
export type FieldValue<D extends FieldDeclaration> = D extends NumberParameter
  ? number
  : D extends ChoiceParameter<infer Value>
    ? Value
    : boolean;

/** The values of one row, by the type of each field. */
export type FieldValues<P extends FieldDeclarations> = { readonly [K in keyof P]: FieldValue<P[K]> };

/** The values a strategy sees, by the type of each declaration. */
export type ParameterValues<P extends ParameterDeclarations> = {
  readonly [K in keyof P]: P[K] extends ListParameter<infer Fields>
    ? readonly FieldValues<Fields>[]
    : P[K] extends RecordParameter<infer Fields>
      ? FieldValues<Fields>
      : P[K] extends MapParameter<infer Of>
        ? Readonly<Record<string, FieldValue<Of>>>
        : P[K] extends FieldDeclaration
          ? FieldValue<P[K]>
          : never;
};

interface NumberOptions {
  readonly default: number;
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  readonly live?: boolean;
}

function number(unit: ParameterUnit, bounds: readonly [number, number], integer = false) {
  return (options: NumberOptions): NumberParameter => ({
    type: 'number',
    unit,
    integer,
    default: options.default,
    min: options.min ?? bounds[0],
    max: options.max ?? bounds[1],
    live: options.live ?? true,
    help: options.help,
  });
}

/** Declares parameters; one function per unit. Ranges are inclusive, `live` is true unless said otherwise. */
export const param = {
  /** A price or a distance between prices, 0 to 1. */
  probability: number('probability', [0, 1]),
  /** Whole shares; fractions down to 0.01 are possible. */
  shares: number('shares', [0, 1_000_000_000]),
  /** Units of the run's currency. */
  currency: number('currency', [0, 1_000_000_000]),
  /** Milliseconds. */
  ms: number('ms', [0, 86_400_000]),
  /** An integer count. */
  count: number('count', [0, 1_000], true),
  /** A plain number without a unit. */
  ratio: number('ratio', [-1_000_000, 1_000_000]),
  /** One of the listed words. */
  choice: <const Value extends string>(options: {
    readonly values: readonly Value[];
    readonly default: NoInfer<Value>;
    readonly help: string;
    readonly live?: boolean;
  }): ChoiceParameter<Value> => ({ type: 'choice', live: true, ...options }),
  /** On or off. */
  switch: (options: {
    readonly default: boolean;
    readonly help: string;
    readonly live?: boolean;
  }): SwitchParameter => ({ type: 'switch', live: true, ...options }),
  /** Rows of equal fields. */
  list: <const Fields extends FieldDeclarations>(options: {
    readonly fields: Fields;
    readonly default: readonly FieldValues<Fields>[];
    readonly help: string;
    readonly most?: number;
    readonly live?: boolean;
  }): ListParameter<Fields> => ({ type: 'list', live: true, most: 20, ...options }),
  /** Fields that belong together; each has its own default. */
  record: <const Fields extends FieldDeclarations>(options: {
    readonly fields: Fields;
    readonly help: string;
    readonly live?: boolean;
  }): RecordParameter<Fields> => ({
    type: 'record',
    live: true,
    default: defaultsOf(options.fields),
    ...options,
  }),
  /** A value for each name that a person chooses, such as a weight for each market; 50 names unless `most` says more. */
  map: <const Of extends FieldDeclaration>(options: {
    readonly of: Of;
    readonly help: string;
    readonly default?: Readonly<Record<string, FieldValue<Of>>>;
    readonly most?: number;
    readonly live?: boolean;
  }): MapParameter<Of> => ({ type: 'map', live: true, default: {}, most: 50, ...options }),
};

const defaultsOf = <Fields extends FieldDeclarations>(fields: Fields): FieldValues<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.default]),
  ) as FieldValues<Fields>;

/** One thing wrong with one value: where, what was found, what was expected. */
export interface ParameterIssue {
  readonly name: string;
  readonly found: unknown;
  readonly expected: string;
  /** For an unknown name: the parameter that was probably meant. */
  readonly nearest: string | null;
}

export type ParameterCheck<P extends ParameterDeclarations> =
  | { readonly ok: true; readonly values: ParameterValues<P> }
  | { readonly ok: false; readonly issues: readonly ParameterIssue[] };

/**
 * Completes raw values with the defaults and checks each against its declaration.
 * @param raw as configured; numbers may be decimal text, absent ones take their default
 * @returns every value in the order of the declarations, or everything that is wrong
 */
export function checkParameters<P extends ParameterDeclarations>(
  declarations: P,
  raw: Readonly<Record<string, unknown>>,
): ParameterCheck<P> {
  const issues: ParameterIssue[] = [];
  const values = readAll(declarations, raw, '', issues);
  return issues.length === 0 ? { ok: true, values: values as ParameterValues<P> } : { ok: false, issues };
}

/** @param path in front of each name, such as `bands[0].` */
function readAll(
  declarations: ParameterDeclarations,
  raw: Readonly<Record<string, unknown>>,
  path: string,
  issues: ParameterIssue[],
): Record<string, unknown> {
  for (const name of Object.keys(raw))
    if (!Object.hasOwn(declarations, name))
      issues.push(unknownParameter(name, path, Object.keys(declarations)));
  const values: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const found = Object.hasOwn(raw, name) ? raw[name] : undefined;
    values[name] = readOne(declaration, found, path + name, issues);
  }
  return values;
}

function readOne(
  declaration: ParameterDeclaration,
  found: unknown,
  path: string,
  issues: ParameterIssue[],
): unknown {
  if (found === undefined) return declaration.default;
  switch (declaration.type) {
    case 'list':
      return readRows(declaration, found, path, issues);
    case 'record':
      if (isRow(found)) return readAll(declaration.fields, found, `${path}.`, issues);
      break;
    case 'map':
      if (isMap(found, declaration))
        return Object.fromEntries(
          Object.entries(found).map(([name, value]) => [
            name,
            readOne(declaration.of, value, `${path}.${name}`, issues),
          ]),
        );
      break;
    case 'number':
    case 'choice':
    case 'switch': {
      const value = readParameter(declaration, found);
      if (value !== null) return value;
    }
  }
  issues.push({ name: path, found, expected: expectedOf(declaration, found), nearest: null });
  return undefined;
}

const NAME = /^[\w-]+$/;

const isMap = (found: unknown, { most }: MapParameter): found is Readonly<Record<string, unknown>> =>
  isRow(found) && Object.keys(found).length <= most && Object.keys(found).every((name) => NAME.test(name));

function readRows(
  declaration: ListParameter,
  found: unknown,
  path: string,
  issues: ParameterIssue[],
): readonly unknown[] {
  if (!Array.isArray(found) || found.length > declaration.most || !found.every(isRow)) {
    issues.push({ name: path, found, expected: describeParameter(declaration), nearest: null });
    return [];
  }
  return found.map((row, index) => readAll(declaration.fields, row, `${path}[${index}].`, issues));
}

const isRow = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was found in its place is the name: its value is nothing to anybody. */
function unknownParameter(name: string, path: string, known: readonly string[]): ParameterIssue {
  const expected = known.length === 0 ? 'no parameters' : `one of the parameters ${known.join(', ')}`;
  return { name: path + name, found: name, expected, nearest: nearest(name, known) };
}

/** A value that changes. */
export interface ParameterDifference {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly live: boolean;
}

/** `halfSpread: 0.02 -> 0.03`. */
export const differenceText = ({ name, before, after }: Omit<ParameterDifference, 'live'>): string =>
  `${name}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;

/** Values that differ, in the order of the declarations. @param prefix in front of each name */
export const changedParameters = (
  declarations: ParameterDeclarations,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  prefix = '',
): readonly ParameterDifference[] =>
  Object.entries(declarations)
    .filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(([name, { live }]) => ({ name: prefix + name, before: before[name], after: after[name], live }));

/** What a declaration accepts, in words: `a number (shares) from 0 to 100`. */
export function describeParameter(declaration: ParameterDeclaration): string {
  if (declaration.type === 'switch') return 'true or false';
  if (declaration.type === 'choice') return `one of ${declaration.values.join(', ')}`;
  if (declaration.type === 'record') return `the fields { ${Object.keys(declaration.fields).join(', ')} }`;
  if (declaration.type === 'map')
    return `at most ${declaration.most} names of letters, digits, _ or -, each with ${describeParameter(declaration.of)}`;
  if (declaration.type === 'list')
    return `a list of at most ${declaration.most} rows of { ${Object.keys(declaration.fields).join(', ')} }`;
  const kind = declaration.integer ? 'an integer' : 'a number';
  const unit = declaration.unit === 'ratio' ? '' : ` (${declaration.unit})`;
  const decimals = DECIMALS[declaration.unit];
  const steps = decimals === undefined ? '' : ` in steps of ${(10 ** -decimals).toFixed(decimals)}`;
  return `${kind}${unit} from ${declaration.min} to ${declaration.max}${steps}`;
}

/** The venue trades no smaller parts: what lies between is refused and never rounded. */
const DECIMALS: Readonly<Partial<Record<ParameterUnit, number>>> = { shares: 2, currency: 6 };

/** With the nearest values that are accepted, where the value lies between two. */
function expectedOf(declaration: ParameterDeclaration, found: unknown): string {
  const expected = describeParameter(declaration);
  if (declaration.type !== 'number') return expected;
  const decimals = DECIMALS[declaration.unit];
  if (decimals === undefined || found === '' || !Number.isFinite(Number(found))) return expected;
  const units = Number(found) * 10 ** decimals;
  const nearest = [Math.floor(units), Math.ceil(units)]
    .map((count) => Number((count / 10 ** decimals).toFixed(decimals)))
    .filter((value) => readParameter(declaration, value) !== null);
  return nearest.length === 0 ? expected : `${expected}, such as ${[...new Set(nearest)].join(' or ')}`;
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** @returns null when the declaration does not accept it */
function readParameter(declaration: FieldDeclaration, found: unknown): number | string | boolean | null {
  if (declaration.type === 'switch') return typeof found === 'boolean' ? found : null;
  if (declaration.type === 'choice')
    return typeof found === 'string' && declaration.values.includes(found) ? found : null;
  const value = typeof found === 'string' && DECIMAL.test(found) ? Number(found) : found;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (value < declaration.min || value > declaration.max) return null;
  const decimals = DECIMALS[declaration.unit];
  if (decimals !== undefined && Number(value.toFixed(decimals)) !== value) return null;
  return declaration.integer && !Number.isInteger(value) ? null : value;
}
