import type { Link } from './presenter.js';

/** The addresses of a bot, as full URLs. */
export function botLinks(url: string, logFile: string | null): readonly Link[] {
  const links = ['metrics', 'health', 'ready'].map((name) => ({ name, url: `${url}/${name}` }));
  return logFile === null ? links : [...links, { name: 'log', url: logFile }];
}
