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

export type ParameterDeclaration = NumberParameter | ChoiceParameter | SwitchParameter;
export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;

/** The values a strategy sees, by the type of each declaration. */
export type ParameterValues<P extends ParameterDeclarations> = {
  readonly [K in keyof P]: P[K] extends NumberParameter
    ? number
    : P[K] extends ChoiceParameter<infer Value>
      ? Value
      : boolean;
};
