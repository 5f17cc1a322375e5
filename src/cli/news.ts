import { describeNews, type GuardNews, NEWS_LEVELS } from '../ops/guard/guard-news.js';
import type { BotSettings } from '../settings/index.js';

/** Prints news on standard output: a line with its time, or one JSON document a line. */
export function newsPrinter(json: boolean, { venue }: Pick<BotSettings, 'venue'>): (news: GuardNews) => void {
  const address = venue?.baseUrl ?? '';
  return (news) => {
    const at = new Date().toISOString();
    const text = describeNews(news, address);
    const line = json
      ? JSON.stringify({ event: news.kind, level: NEWS_LEVELS[news.kind], at, ...membersOf(news), text })
      : `${at.slice(11, 19)}  ${text}`;
    process.stdout.write(`${line}\n`);
  };
}

/** The facts of a piece of news; of an error what it says. */
function membersOf({ kind: _kind, ...members }: GuardNews): object {
  return 'error' in members ? { ...members, error: members.error.message } : members;
}
