/** How a run shows itself: a screen refreshed in place, plain lines, or JSON lines. */
import type { WriteStream } from 'node:tty';
import type { EndEffect } from '../domain/effects.js';
import type { EngineView } from '../core/engine/observing/view.js';
import { drawScreen } from './screen/dashboard.js';
import { COLOURED, PLAIN } from './screen/format.js';
import { hearKeys } from './screen/keys.js';
import { MarketList } from './screen/market-list.js';
import { newFillLines, statusLine, summaryFacts, summaryLines } from './screen/bot-lines.js';
import { TerminalBlock } from './screen/terminal.js';
import type { Bot } from '../runs/live/bot.js';
import { EXIT, type ExitCode } from '../domain/errors.js';
import { afterDelay } from '../storage/clocks/system-clock.js';
import type { StopSignals } from './signals.js';
import { cataloguedBot } from './catalogued.js';
import { print, printJson } from './output.js';

export interface Link {
  readonly name: string;
  readonly url: string;
}

export interface RunHead {
  readonly title: string;
  readonly links: readonly Link[];
}

export interface Presenter {
  /** The bot runs. */
  ready(head: RunHead): void;
  /** A new picture of it. */
  show(view: EngineView, elapsedMs: number): void;
  /** It ended. @param report path of its page; null when there is none */
  ended(view: EngineView, end: EndEffect, elapsedMs: number, report: string | null): void;
  /** Milliseconds between pictures; null: it draws none, so that nobody looks at all markets for it. */
  readonly everyMs: number | null;
}

const SCREEN_EVERY_MS = 200;
const LINES_EVERY_MS = 2_000;
/** Between status lines of a bot whose state stays the same. */
const STATUS_EVERY_MS = 60_000;

/**
 * Chooses by what standard output is.
 * @param account of several bots of one process: each line names it, and there is no screen; null: there is one bot
 */
export function choosePresenter(json: boolean, account: string | null = null): Presenter {
  if (json) return jsonPresenter(account);
  if (account !== null)
    return linesPresenter((...lines) => print(...lines.map((line) => `${account}  ${line}`)));
  return process.stdout.isTTY ? screenPresenter(process.stdout) : linesPresenter(print);
}

function screenPresenter(output: WriteStream): Presenter {
  const block = new TerminalBlock(output);
  const paint = output.hasColors() ? COLOURED : PLAIN;
  let head: RunHead = { title: '', links: [] };
  const hint = (view: EngineView): string =>
    view.phase === 'stopping'
      ? 'stopping: cancelling everything and asking the venue; Ctrl-C again ends at once'
      : `${hasKeys ? 'arrows scroll, s sorts, / filters; ' : ''}Ctrl-C withdraws all quotes, proves it and exits`;
  const list = new MarketList();
  let last: (() => void) | null = null;
  const keys = hearKeys(list, () => last?.());
  const hasKeys = keys !== null;
  const draw = (view: EngineView, elapsedMs: number): void => {
    const frame = { ...head, view, elapsedMs, hint: hint(view), list };
    last = () => block.draw(drawScreen(frame, block.size, paint));
    last();
  };
  return {
    everyMs: SCREEN_EVERY_MS,
    ready: (given) => {
      head = given;
    },
    show: draw,
    ended: (view, end, elapsedMs, report) => {
      draw(view, elapsedMs);
      keys?.end();
      block.end();
      print(...summaryLines(view, end, elapsedMs, report));
    },
  };
}

function linesPresenter(say: typeof print): Presenter {
  let shownFills = 0;
  let status = { key: '', at: -Infinity };
  const fills = (view: EngineView): void => {
    say(...newFillLines(view, shownFills));
    shownFills = view.counts.fills;
  };
  return {
    everyMs: LINES_EVERY_MS,
    ready: ({ title, links }) => {
      say(title, ...links.map(({ name, url }) => `${name.padEnd(8)} ${url}`));
    },
    show: (view, elapsedMs) => {
      fills(view);
      const key = stateKey(view);
      if (key === status.key && elapsedMs - status.at < STATUS_EVERY_MS) return;
      status = { key, at: elapsedMs };
      say(statusLine(view, elapsedMs));
    },
    ended: (view, end, elapsedMs, report) => {
      fills(view);
      say(...summaryLines(view, end, elapsedMs, report));
    },
  };
}

/** What is told at once when it changes. */
const stateKey = ({ phase, connection, killed, alarms, instances }: EngineView): string =>
  JSON.stringify([
    phase,
    connection.state,
    killed,
    alarms.map(({ code }) => code),
    instances.map(({ fault }) => fault),
  ]);

function jsonPresenter(account: string | null): Presenter {
  const named = account === null ? {} : { account };
  return {
    everyMs: null,
    ready: ({ title, links }) => {
      const urls = Object.fromEntries(links.map(({ name, url }) => [name, url]));
      printJson({ event: 'ready', ...named, title, urls, pid: process.pid });
    },
    show: () => undefined,
    ended: (view, end, elapsedMs, report) =>
      printJson({ ...summaryFacts(view, end, elapsedMs, report), ...named }),
  };
}

/** The addresses of a bot, as full URLs. */
export function botLinks(url: string, logFile: string | null): readonly Link[] {
  const below = ['metrics', 'health', 'ready'].map((name) => ({ name, url: `${url}/${name}` }));
  const links = [{ name: 'page', url: `${url}/` }, ...below];
  return logFile === null ? links : [...links, { name: 'log', url: logFile }];
}

export interface WatchOptions {
  readonly bot: Bot;
  readonly head: RunHead;
  readonly presenter: Presenter;
  /** Stop by itself after this long; null: until a signal. */
  readonly forMs: number | null;
  readonly signals: StopSignals;
}

const EXIT_BY_OUTCOME: Readonly<Record<EndEffect['outcome'], ExitCode>> = {
  clean: EXIT.clean,
  'orders-may-remain': EXIT.ordersMayRemain,
  invariant: EXIT.internal,
  'keys-refused': EXIT.keysRefused,
};

/** What a second signal leaves behind. */
export const FORCED = 'ended at once; orders may remain at the venue';

/** Shows a bot until it has ended: by a signal, by time, or by itself. @returns the exit code */
export async function watchBot({ bot, head, presenter, forMs, signals }: WatchOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const show = (): void => presenter.show(bot.view(), elapsed());
  presenter.ready(head);
  show();
  const pictures = presenter.everyMs === null ? undefined : setInterval(show, presenter.everyMs);
  const cancelLimit = forMs === null ? null : afterDelay(forMs, () => bot.stop('the time given is over'));
  signals.onStop((signal) => {
    bot.stop(signal);
    show();
  });
  signals.onReload(() => void bot.reload('SIGHUP'));
  signals.onKill((signal) => {
    bot.kill(signal);
    show();
    return true;
  });
  try {
    const end = await bot.ended;
    presenter.ended(bot.view(), end, elapsed(), bot.reportPage);
    if (bot.reportPage !== null) await cataloguedBot(bot.reportPage);
    return killedOr(EXIT_BY_OUTCOME[end.outcome], bot);
  } finally {
    clearInterval(pictures);
    cancelLimit?.();
    // Others of the process may go on, or this account with its next lease: that reads the file by itself.
    signals.onReload(() => undefined);
  }
}

const killedOr = (code: ExitCode, bot: Bot): ExitCode =>
  code === EXIT.clean && bot.view().killed !== null ? EXIT.killLatched : code;
