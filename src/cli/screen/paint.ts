import { styleText } from 'node:util';

/** Colours by meaning; the plain one leaves text as it is. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly alarm: (text: string) => string;
}

const same = (text: string): string => text;

export const PLAIN: Paint = { strong: same, dim: same, good: same, bad: same, warn: same, alarm: same };

export const COLOURED: Paint = {
  strong: (text) => styleText('bold', text, { validateStream: false }),
  dim: (text) => styleText('dim', text, { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
  warn: (text) => styleText('yellow', text, { validateStream: false }),
  alarm: (text) => styleText(['bgRed', 'white', 'bold'], text, { validateStream: false }),
};

/** Gains and losses by colour; nothing is neither. */
export const paintSigned = (text: string, value: number, paint: Paint): string =>
  value > 0 ? paint.good(text) : value < 0 ? paint.bad(text) : text;
