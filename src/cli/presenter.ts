/** How a run shows itself: a screen refreshed in place, plain lines, or JSON lines. */
import type { WriteStream } from 'node:tty';
import type { EndEffect } from '../domain/effects.js';
import type { EngineView } from '../core/engine/observing/view.js';
import { drawScreen } from './screen/dashboard.js';
import { COLOURED, PLAIN } from './screen/paint.js';
import { newFillLines, statusLine } from './screen/plain-lines.js';
import { summaryJson, summaryLines } from './screen/summary.js';
import { TerminalBlock } from './screen/terminal.js';

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
  /** Milliseconds between pictures. */
  readonly everyMs: number;
}

const SCREEN_EVERY_MS = 200;
const LINES_EVERY_MS = 2_000;

/** Chooses by what standard output is. */
export function choosePresenter(json: boolean): Presenter {
  if (json) return jsonPresenter();
  return process.stdout.isTTY ? screenPresenter(process.stdout) : linesPresenter();
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function screenPresenter(output: WriteStream): Presenter {
  const block = new TerminalBlock(output);
  const paint = output.hasColors() ? COLOURED : PLAIN;
  let head: RunHead = { title: '', links: [] };
  const hint = (view: EngineView): string =>
    view.phase === 'stopping'
      ? 'stopping: cancelling everything and asking the venue; Ctrl-C again ends at once'
      : 'Ctrl-C withdraws all quotes, proves it and exits';
  const draw = (view: EngineView, elapsedMs: number): void =>
    block.draw(drawScreen({ ...head, view, elapsedMs, hint: hint(view) }, block.size, paint));
  return {
    everyMs: SCREEN_EVERY_MS,
    ready: (given) => {
      head = given;
    },
    show: draw,
    ended: (view, end, elapsedMs, report) => {
      draw(view, elapsedMs);
      block.end();
      for (const line of summaryLines(view, end, elapsedMs, report)) print(line);
    },
  };
}

function linesPresenter(): Presenter {
  let shownFills = 0;
  const fills = (view: EngineView): void => {
    for (const line of newFillLines(view, shownFills)) print(line);
    shownFills = view.counts.fills;
  };
  return {
    everyMs: LINES_EVERY_MS,
    ready: ({ title, links }) => {
      print(title);
      for (const { name, url } of links) print(`${name.padEnd(8)} ${url}`);
    },
    show: (view, elapsedMs) => {
      fills(view);
      print(statusLine(view, elapsedMs));
    },
    ended: (view, end, elapsedMs, report) => {
      fills(view);
      for (const line of summaryLines(view, end, elapsedMs, report)) print(line);
    },
  };
}

function jsonPresenter(): Presenter {
  return {
    everyMs: LINES_EVERY_MS,
    ready: ({ title, links }) => {
      const urls = Object.fromEntries(links.map(({ name, url }) => [name, url]));
      print(JSON.stringify({ event: 'ready', title, urls, pid: process.pid }));
    },
    show: () => undefined,
    ended: (view, end, elapsedMs, report) => print(summaryJson(view, end, elapsedMs, report)),
  };
}
