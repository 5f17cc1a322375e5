/// <reference lib="dom" />
/** What the page knows of the bot: the stream keeps it, and whoever shows it is drawn again. */
import { useEffect, useState } from 'preact/hooks';

/**
 * @typedef {import('../contract.js').StatusJson} Status
 * @typedef {import('../contract.js').MarketRowJson} Row
 * @typedef {import('../contract.js').FillJson} Fill
 */

const RETRY_MS = 1_000;
const MOST_FILLS = 200;

export const store = {
  /** @type {Status | null} */
  status: null,
  /** @type {Map<string, Row>} */
  rows: new Map(),
  /** Newest first. @type {readonly Fill[]} */
  fills: [],
  /** `asking`, `live`, `lost`, or `refused` where a token is needed. */
  connection: 'asking',
  /** In memory alone. @type {string | null} */
  token: null,
};

/** @type {Set<() => void>} */
const watchers = new Set();
let isDue = false;

function changed() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    for (const tell of watchers) tell();
  });
}

/** Draws the component again whenever something changed. */
export function useStore() {
  const [, set] = useState(0);
  useEffect(() => {
    const tell = () => set((n) => n + 1);
    watchers.add(tell);
    return () => void watchers.delete(tell);
  }, []);
  return store;
}

const headers = () => (store.token === null ? {} : { authorization: `Bearer ${store.token}` });

/** @param {string} path  below `/api/`  @returns {Promise<any>} null where it is not there */
export async function read(path) {
  const response = await fetch(`api/${path}`, { headers: headers() });
  return response.ok ? response.json() : null;
}

/** Reads a path again and again while it is shown. @param {string} path  @param {number} everyMs  @returns {any} null at first */
export function useRead(path, everyMs) {
  const [found, set] = useState(/** @type {{ path: string, value: any } | null} */ (null));
  useEffect(() => {
    let isGone = false;
    let timer = /** @type {any} */ (null);
    const ask = async () => {
      try {
        const value = await read(path);
        if (!isGone) set({ path, value });
      } catch {
        // The stream says that the bot is not there.
      }
      if (!isGone) timer = setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path, everyMs]);
  return found?.path === path ? found.value : null;
}

/** @param {object} action  @returns {Promise<{ ok: boolean, text: string }>} */
export async function act(action) {
  try {
    const response = await fetch('api/actions', {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'the page', ...action }),
    });
    const body = await response.json();
    if (response.status === 401) store.token = null;
    return { ok: response.ok, text: body.done ?? body.error };
  } catch {
    return { ok: false, text: 'the bot does not answer' };
  }
}

/** Of another run nothing holds. @param {Status} status */
function begin(status) {
  if (status.runId !== store.status?.runId) {
    store.rows.clear();
    store.fills = [];
  }
  store.status = status;
}

/** Takes what the stream says. @param {string} event  @param {any} data */
function take(event, data) {
  if (event === 'status') begin(data);
  if (event === 'rows') for (const row of data) store.rows.set(row.marketId, row);
  if (event === 'fills') {
    const newest = store.fills[0]?.id ?? 0;
    const news = data.filter((/** @type {Fill} */ { id }) => id > newest).toReversed();
    store.fills = [...news, ...store.fills].slice(0, MOST_FILLS);
  }
  store.connection = 'live';
  changed();
}

let lastId = '';

/** @param {string} block  one event of the stream */
function readBlock(block) {
  let [event, data] = ['message', ''];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    if (line.startsWith('data: ')) data += line.slice(6);
    if (line.startsWith('id: ')) lastId = line.slice(4);
  }
  if (data !== '') take(event, JSON.parse(data));
}

async function listen() {
  const response = await fetch('api/stream', { headers: { ...headers(), 'last-event-id': lastId } });
  if (response.status === 401 || response.status === 403) {
    store.connection = 'refused';
    changed();
    return;
  }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    blocks.forEach(readBlock);
  }
}

/** Follows the bot, and finds it again when it was away. */
export async function follow() {
  for (;;) {
    try {
      await listen();
    } catch {
      // It is not there.
    }
    if (store.connection !== 'refused') store.connection = 'lost';
    changed();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** @param {string} token */
export function setToken(token) {
  store.token = token;
  changed();
}
