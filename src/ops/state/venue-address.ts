/** One spelling for the address of a venue, so that whatever is named after it is found however a file writes it. */

/** The machine itself goes by several names; two exchanges that share a port there are taken for one. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const THIS_MACHINE = '127.0.0.1';

/** Without a slash at its end, the port that its protocol has anyway, or capitals in its host. @throws TypeError for no URL */
export function canonicalAddress(baseUrl: string): string {
  const { protocol, pathname } = new URL(baseUrl);
  return `${protocol}//${canonicalHost(baseUrl)}${pathname.replace(/\/+$/, '')}`;
}

/** `venue.example`, or with its port where that is not the usual one. @throws TypeError for no URL */
export function canonicalHost(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  const name = LOOPBACK.has(hostname) ? THIS_MACHINE : hostname.replace(/\.$/, '');
  return port === '' ? name : `${name}:${port}`;
}

/** The name of a lock as it is spelled now, of one that was written when the file's spelling of the host was its own. */
export const canonicalLock = (lock: string): string =>
  lock.replace(/^(?:localhost|---1-)(?=-)/, THIS_MACHINE);
