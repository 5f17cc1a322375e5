/** Hears single keys on a terminal, and leaves the terminal as it was. */
import type { MarketList } from './market-list.js';

/**
 * Keys reach the list at once, without Enter. Ctrl-C and Ctrl-Z do what they do on any terminal.
 * @param changed called after each key
 * @returns null where standard input is no terminal
 */
export function hearKeys(list: MarketList, changed: () => void): { end(): void } | null {
  const { stdin } = process;
  if (!stdin.isTTY) return null;
  const heard = (bytes: Buffer): void => {
    const wish = list.press(bytes.toString());
    if (wish === 'interrupt') process.kill(process.pid, 'SIGINT');
    else if (wish === 'suspend') {
      stdin.setRawMode(false);
      process.kill(process.pid, 'SIGTSTP');
    } else changed();
  };
  const begin = (): void => void stdin.setRawMode(true);
  begin();
  stdin.on('data', heard).resume();
  process.on('SIGCONT', begin);
  return {
    end: () => {
      process.off('SIGCONT', begin);
      stdin.off('data', heard).pause();
      stdin.setRawMode(false);
    },
  };
}
