/**
 * What houses can draw, and how their bot lives: in the first edition the bot is alone with its account, in play money. In
 * the third half of them have strategies, terms and policies of every kind, and latches that are kept in files, with a guard
 * in some. In the fourth the clock is set by minutes in a quarter of them. In the fifth a third of them have a cup of two
 * favourites. Since the sixth a bot gives up the connection under which its process or its machine stood still. Since the
 * seventh it hears through its own feed: it reconnects with back-off, and asks for its private channel.
 */
export type Edition = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const LATEST: Edition = 7;
