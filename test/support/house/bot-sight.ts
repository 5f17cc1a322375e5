/** A running bot as an operator sees it: its metrics, its readiness, its commands. */
export class BotSight {
  readonly #base: string;

  /** @param metrics the address that the bot printed */
  constructor(
    metrics: string,
    private readonly token: string,
  ) {
    this.#base = metrics.replace(/\/metrics$/, '');
  }

  async metrics(): Promise<Metrics> {
    return new Metrics(await (await fetch(`${this.#base}/metrics`)).text());
  }

  async ready(): Promise<{ readonly ready: boolean; readonly reasons: readonly string[] }> {
    return (await (await fetch(`${this.#base}/ready`)).json()) as never;
  }

  /** Whether any quote stands. */
  async quotes(): Promise<boolean> {
    return (await this.metrics()).value('oddsmith_quotes') > 0;
  }

  async killed(): Promise<boolean> {
    return (await this.metrics()).value('oddsmith_killed') === 1;
  }

  async command(path: '/kill' | '/resume'): Promise<number> {
    const headers = { authorization: `Bearer ${this.token}` };
    return (await fetch(`${this.#base}${path}`, { method: 'POST', headers })).status;
  }
}

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Prometheus text. */
export class Metrics {
  constructor(private readonly text: string) {}

  all(name: string): readonly MetricSample[] {
    const lines = this.text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return lines.map((line) => ({
      labels: Object.fromEntries(
        [...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
      ),
      value: Number(line.slice(line.lastIndexOf(' '))),
    }));
  }

  /** What it says of itself and its markets, for a message. */
  gauges(): string {
    const lines = this.text.split('\n').filter((line) => line.startsWith('oddsmith_'));
    return lines.filter((line) => !/_(bucket|sum|count)\b/.test(line)).join('\n');
  }

  /** The sum over all labels. */
  value(name: string): number {
    return this.all(name).reduce((sum, { value }) => sum + value, 0);
  }

  /** Shares held by `11 long`; what is zero is left out. */
  get shares(): Readonly<Record<string, number>> {
    const held = this.all('oddsmith_inventory_shares').filter(({ value }) => value > 0);
    return Object.fromEntries(
      held.map(({ labels, value }) => [`${labels['market_id']} ${labels['position']}`, value]),
    );
  }

  get cash(): number | undefined {
    return this.all('oddsmith_balance').find(({ labels }) => labels['part'] === 'total')?.value;
  }
}
