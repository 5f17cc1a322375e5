/** `oddsmith exchange` with a data folder as a process of its own, to be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { ROOT } from '../project/small-house.js';

const ADMIN_TOKEN = 'durable';

const settings = (dataDir: string, snapshotEvery: number): string => `exchange:
  port: 0
  adminToken: ${ADMIN_TOKEN}
  dataDir: ${dataDir}
  snapshotEvery: ${snapshotEvery}
  duplicateWindowMs: 0
  rateLimit: null
  accounts:
    - { id: 1, username: maker, email: maker@example.org, publicKey: pk_maker, privateKey: sk_maker, balances: { OOM: "1000000000" } }
    - { id: 2, username: taker, email: taker@example.org, publicKey: pk_taker, privateKey: sk_taker, balances: { OOM: "1000000000" } }
  events:
    - { id: 1, title: Event, maxAmount: "1000000", markets: [{ id: 11, title: Market }] }
`;

/** A folder with a configuration, from which the exchange is started again and again. */
export class ExchangeProcesses {
  readonly #file: string;
  readonly dataDir: string;

  constructor(dir: string, snapshotEvery: number) {
    this.#file = join(dir, 'exchange.yaml');
    this.dataDir = join(dir, 'data');
    writeFileSync(this.#file, settings(this.dataDir, snapshotEvery));
  }

  /** @throws Error with what it said when it does not start */
  async start(): Promise<ExchangeProcess> {
    const child = spawn(process.execPath, ['dist/src/cli/main.js', 'exchange', this.#file, '--json'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said: string[] = [];
    child.stderr.on('data', (text: Buffer) => said.push(text.toString()));
    const lines = createInterface(child.stdout);
    const line = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => null)]);
    lines.close();
    if (line === null) throw new Error(`the exchange did not start: ${said.join('')}`);
    const { rest } = JSON.parse(String(line[0])) as { rest: string };
    return new ExchangeProcess(child, rest);
  }
}

export class ExchangeProcess {
  constructor(
    private readonly child: ChildProcess,
    readonly rest: string,
  ) {}

  /** @returns the exit code; null after SIGKILL */
  async end(signal: NodeJS.Signals): Promise<unknown> {
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    return (await exit)[0];
  }

  /** What the ledger adds up to in play money. */
  async ledgerSum(): Promise<string> {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const answer = await fetch(`${this.rest}/admin/ledger/`, { headers });
    const { sum } = (await answer.json()) as { readonly sum: Readonly<Record<string, string>> };
    return sum['OOM'] ?? 'none';
  }
}
