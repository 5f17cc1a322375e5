/** The sources of fair values of a live bot: opens them, judges what they say, and tells of what is refused. */
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../core/ports/clock.js';
import type { OutsideValue } from '../../domain/inputs.js';
import type { Micros } from '../../domain/units.js';
import type { Logger } from '../../ops/telemetry/logger.js';
import type { FairFigures } from '../../ops/telemetry/metrics.js';
import type { FairSourceSettings } from '../../settings/index.js';
import { followFile } from './followed-file.js';
import { pollUrl } from './polled-url.js';
import { readProcess } from './process-output.js';
import { type Judged, type RefusedPiece, SourceJudge } from './source-judge.js';
import type { ValueSink } from './source-parts.js';
import type { Piece } from './stated-values.js';

export interface FairValueSourcesOptions {
  readonly sources: readonly FairSourceSettings[];
  /** The configuration: paths start from its folder. */
  readonly file: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Kept from programs that are run. */
  readonly secrets: readonly string[];
  /** Takes what counts, together what came together. */
  readonly take: (values: readonly OutsideValue[]) => void;
}

/** What became of values that were sent to the bot. */
type Sent = Pick<Judged, 'accepted' | 'refused'>;

/** Joined lines are told so often, microseconds. */
const TOLD_EVERY = 60_000_000;

export class FairValueSources {
  private readonly sources: readonly Source[];
  private stops: readonly (() => Promise<void>)[] = [];

  constructor(options: FairValueSourcesOptions) {
    this.sources = options.sources.map((settings) => new Source(settings, options));
  }

  /** For metrics. */
  figures(): readonly FairFigures[] {
    return this.sources.map((source) => source.figures());
  }

  /** Begins to read. */
  open(): void {
    this.stops = this.sources.flatMap((source) => source.open() ?? []);
  }

  /** @returns null when no source takes values that are sent */
  send(pieces: readonly Piece[]): Sent | null {
    const push = this.sources.find(({ settings }) => settings.kind === 'push');
    return push?.send(pieces) ?? null;
  }

  /** Resolves when nothing is read any more, and no program runs. */
  async close(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
    for (const source of this.sources) source.tellRest();
  }
}

class Source implements ValueSink {
  private readonly judge: SourceJudge;
  private isUp: boolean | null = null;
  /** Refused since the last line that told of it. */
  private untold = 0;
  private example: RefusedPiece | null = null;
  private toldAt = -Infinity;

  constructor(
    readonly settings: FairSourceSettings,
    private readonly options: FairValueSourcesOptions,
  ) {
    this.judge = new SourceJudge({ markets: settings.markets, signalsOnly: settings.signalsOnly });
  }

  /** @returns stops it; null for what is not read but sent */
  open(): (() => Promise<void>) | null {
    const { settings } = this;
    const { file, clock, secrets } = this.options;
    const folder = dirname(resolve(file));
    switch (settings.kind) {
      case 'file':
        return followFile(resolve(folder, settings.path), clock, this);
      case 'url': {
        const { url, everyMs, token } = settings;
        return pollUrl({ url, everyMs, token, clock, sink: this });
      }
      case 'process': {
        const environment = withoutSecrets(process.env, secrets);
        return readProcess({ command: settings.command, folder, environment, clock, sink: this });
      }
      case 'push':
        return null;
    }
  }

  figures(): FairFigures {
    return {
      source: this.settings.name,
      isUp: this.isUp ?? this.settings.kind === 'push',
      counts: this.judge.counts,
    };
  }

  begin(): void {
    this.judge.begin();
  }

  take(pieces: readonly Piece[], arrivedAt: Micros | null): void {
    const now = this.options.clock.now();
    this.judged(this.judge.judge(pieces, { now, arrivedAt: Math.min(arrivedAt ?? now, now) as Micros }));
  }

  send(pieces: readonly Piece[]): Sent {
    const now = this.options.clock.now();
    this.judge.begin();
    const judged = this.judge.judge(pieces, { now, arrivedAt: now });
    this.judged(judged);
    return { accepted: judged.accepted, refused: judged.refused };
  }

  up(): void {
    if (this.isUp === false)
      this.options.logger.info(`fair values of ${this.settings.name} can be read again`);
    this.isUp = true;
  }

  down(why: string): void {
    if (this.isUp !== false)
      this.options.logger.warn(
        `fair values of ${this.settings.name} cannot be read: ${why}; it is tried again, and known values count until they are too old`,
      );
    this.isUp = false;
  }

  /** What was refused since the last line. */
  tellRest(): void {
    const { untold, example } = this;
    if (untold === 0 || example === null) return;
    this.untold = 0;
    this.toldAt = this.options.clock.now();
    const { line, found, expected, reason } = example;
    const text = `fair values of ${this.settings.name}: ${untold} refused, such as line ${line}: expected ${expected}, found ${found}; known values count until they are too old`;
    this.options.logger.warn(text, { source: this.settings.name, reason });
  }

  private judged({ values, refused }: Judged): void {
    if (values.length > 0) this.options.take(values.map(({ value }) => value));
    const last = refused.at(-1);
    if (last === undefined) return;
    this.untold += refused.length;
    this.example = last;
    if (this.options.clock.now() - this.toldAt >= TOLD_EVERY) this.tellRest();
  }
}

/** A program inherits the environment, but for keys and tokens of the bot. */
const withoutSecrets = (
  environment: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value === undefined || !secrets.includes(value)),
  );
