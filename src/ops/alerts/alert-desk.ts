/** Alerts of a running bot: looks once a second at what the bot says of itself, and tells the receivers of its file. */
import { statfs } from 'node:fs/promises';
import type { EngineObserver } from '../../core/engine/observing/observer.js';
import type { EngineView } from '../../core/engine/observing/view.js';
import type { Clock } from '../../core/ports/clock.js';
import type { EndEffect } from '../../domain/effects.js';
import type { Micros } from '../../domain/units.js';
import type { BotSettings, ReceiverSettings } from '../../settings/index.js';
import type { Logger } from '../telemetry/logger.js';
import type { AlertFigures } from '../telemetry/metrics.js';
import { createRedactor, type Redactor } from '../telemetry/redaction.js';
import { type Alert, type Finding, isoTime } from './alert.js';
import { AlertRules } from './alert-rules.js';
import { Delivery } from './delivery.js';
import { senderOf } from './receivers.js';

const EVERY_US = 1_000_000;
/** The disk is asked less often: it may be slow. */
const DISK_EVERY_US = 30_000_000;
/** What still waits at the end of a run may take so long. */
const LAST_MS = 3_000;
const MIB = 1_048_576;

/** What the desk reads of a bot, at the moment it looks. */
export interface BotFacts {
  readonly view: EngineView;
  readonly requestsLeftToday: number;
  /** How far the clock of the venue is ahead, in microseconds. */
  readonly venueAhead: number;
}

export interface AlertDeskOptions {
  readonly settings: Pick<BotSettings, 'alerts' | 'mode' | 'stateDir'>;
  readonly venue: string;
  readonly runId: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Taken out of every message. */
  readonly secrets: readonly string[];
}

export class AlertDesk {
  readonly #rules: AlertRules;
  readonly #redactor: Redactor;
  readonly #deliveries: readonly { readonly settings: ReceiverSettings; readonly delivery: Delivery }[];
  #lookedAt = -Infinity;
  #askedDiskAt = -Infinity;
  #freeMiB: number | null = null;

  constructor(private readonly options: AlertDeskOptions) {
    const { settings, clock, logger, secrets } = options;
    this.#rules = new AlertRules(settings.alerts.rules);
    this.#redactor = createRedactor(secrets);
    this.#deliveries = settings.alerts.receivers.map((receiver) => ({
      settings: receiver,
      delivery: new Delivery({ name: receiver.name, send: senderOf(receiver), clock, logger }),
    }));
  }

  /** Hears of fills; null where nobody is told of one. */
  get ofFills(): Pick<EngineObserver, 'filled'> | null {
    const { receivers, rules } = this.options.settings.alerts;
    if (receivers.length === 0 || rules.fill === null) return null;
    return { filled: (fill) => this.#rules.filled(fill) };
  }

  /** Called often; looks once a second. */
  review(facts: () => BotFacts): void {
    const now = this.options.clock.now();
    if (this.#deliveries.length === 0 || now - this.#lookedAt < EVERY_US) return;
    this.#lookedAt = now;
    this.#askDisk(now);
    const { venueAhead, ...seen } = facts();
    const venueAheadMs = venueAhead / 1_000;
    this.#tell(this.#rules.review({ ...seen, venueAheadMs, freeMiB: this.#freeMiB }, now));
  }

  /** The last word of a run. Resolves when it is told, or after a few seconds. */
  async ended(end: EndEffect): Promise<void> {
    this.#tell(this.#rules.ended(end));
    const { clock } = this.options;
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.at((clock.now() + LAST_MS * 1_000) as Micros, resolve);
    });
    await Promise.race([late, Promise.all(this.#deliveries.map(({ delivery }) => delivery.idle()))]);
    cancel();
  }

  figures(): readonly AlertFigures[] {
    return this.#deliveries.map(({ delivery }) => delivery.figures);
  }

  close(): void {
    for (const { delivery } of this.#deliveries) delivery.close();
  }

  #tell(findings: readonly Finding[]): void {
    for (const finding of findings)
      for (const { settings, delivery } of this.#deliveries)
        if (settings.rules?.includes(finding.rule) ?? true) delivery.push(this.#alertOf(finding));
  }

  #alertOf({ rule, state, severity, title, text }: Finding): Alert {
    const { settings, venue, runId, clock } = this.options;
    const said = { title: this.#redactor.text(title), text: this.#redactor.text(text) };
    return { at: isoTime(clock.now()), venue, mode: settings.mode, runId, rule, state, severity, ...said };
  }

  /** What it says is used from the next look on. */
  #askDisk(now: Micros): void {
    if (now - this.#askedDiskAt < DISK_EVERY_US) return;
    this.#askedDiskAt = now;
    void statfs(this.options.settings.stateDir).then(
      ({ bavail, bsize }) => (this.#freeMiB = Math.floor((bavail * bsize) / MIB)),
      () => (this.#freeMiB = null),
    );
  }
}
