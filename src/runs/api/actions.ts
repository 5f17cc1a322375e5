import type { EngineView } from '../../core/engine/observing/view.js';
import type { Engine } from '../../core/engine/engine.js';
import type { Clock } from '../../core/ports/clock.js';
import type { JournalRecord } from '../../core/ports/journal.js';
import type { Logger } from '../../core/ports/logger.js';
import type { OperatorCommand, QuoteScope } from '../../domain/inputs.js';
import { eventId, marketId } from '../../domain/ids.js';
import { micros } from '../../domain/units.js';
import { scopeText } from '../../core/risk/pauses.js';
import type { Action, ActionAnswer, AlarmJson, ScopeJson } from '../../ops/http/contract.js';

/** What was cancelled by hand stays away for so long: its strategy would put it straight back. */
const CANCELLED_FOR_MS = 10_000;

export interface ActionsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly command: (command: OperatorCommand) => void;
  readonly note: (record: JournalRecord) => void;
  readonly kill: (reason: string) => void;
  /** @returns false while a guard's fence stands */
  readonly resume: () => boolean;
}

/** Carries out what a person asks for, and writes down who asked and when. What changes quotes is an input of the engine. */
export class Actions {
  readonly #options: ActionsOptions;
  readonly #acknowledged = new Map<string, { readonly by: string; readonly at: number }>();

  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  alarms(standing: EngineView['alarms']): readonly AlarmJson[] {
    for (const code of this.#acknowledged.keys())
      if (!standing.some((alarm) => alarm.code === code)) this.#acknowledged.delete(code);
    return standing.map(({ code, text }) => ({
      code,
      text,
      acknowledged: this.#acknowledged.get(code) ?? null,
    }));
  }

  act(action: Action): ActionAnswer {
    const scope = scopeOf(action.scope);
    const problem = this.#problemOf(action, scope);
    if (problem !== null) return problem;
    const { by, forMs, ticks } = action;
    const where = scopeText(scope);
    switch (action.action) {
      case 'pause':
        return this.#hold(action, scope, forMs, `paused ${where}`);
      case 'cancel':
        if (this.#isPausedLonger(where)) return this.#done(by, `left ${where} paused: nothing stands there`);
        return this.#hold(
          action,
          scope,
          CANCELLED_FOR_MS,
          `cancelled what stands in ${where}, which is quoted again after ${CANCELLED_FOR_MS / 1_000} s`,
        );
      case 'widen':
        this.#options.command({ kind: 'command', command: 'widen', by, scope, ticks: ticks ?? 0 });
        return this.#done(by, `widened ${where} by ${ticks} ticks`);
      case 'resume':
        return this.#resume(by, scope);
      case 'kill':
        this.#options.kill(`${by}${action.reason === null ? '' : `: ${action.reason}`}`);
        return this.#done(by, 'latched the kill switch');
      case 'acknowledge':
        this.#acknowledged.set(action.alarm!, { by, at: this.#options.clock.now() / 1_000 });
        return this.#done(by, `acknowledged the alarm ${action.alarm}`);
    }
  }

  #problemOf({ action, alarm }: Action, scope: QuoteScope): ActionAnswer | null {
    const { markets, instances, alarms } = this.#options.engine.view();
    const isThere =
      scope.kind === 'all' ||
      (scope.kind === 'instance'
        ? instances.some(({ name }) => name === scope.instance)
        : markets.some(
            (market) =>
              market.instance !== null &&
              (scope.kind === 'event'
                ? market.eventId === scope.eventId
                : market.marketId === scope.marketId),
          ));
    if (!isThere) return { code: 404, text: `${scopeText(scope)} is not quoted by this bot` };
    if (action === 'kill' && scope.kind !== 'all')
      return { code: 422, text: 'kill stops everything; use pause for a part' };
    if (action === 'acknowledge' && !alarms.some(({ code }) => code === alarm))
      return { code: 404, text: `no alarm ${alarm} stands` };
    return null;
  }

  /** Whether a pause of the scope outlasts what a cancel would say, which would take its place. */
  #isPausedLonger(where: string): boolean {
    const until = this.#options.clock.now() + CANCELLED_FOR_MS * 1_000;
    return this.#options.engine
      .view()
      .pauses.some(
        (pause) =>
          pause.isPaused && scopeText(pause.scope) === where && (pause.until === null || pause.until > until),
      );
  }

  #hold({ by }: Action, scope: QuoteScope, forMs: number | null, text: string): ActionAnswer {
    this.#options.command({ kind: 'command', command: 'pause', by, scope, forMs });
    return this.#done(by, text);
  }

  /** Everything: whatever stopped quoting, as `oddsmith resume` does. */
  #resume(by: string, scope: QuoteScope): ActionAnswer {
    if (scope.kind === 'all' && !this.#options.resume())
      return { code: 409, text: 'a fence stands: clear it first with oddsmith guard clear' };
    this.#options.command({ kind: 'command', command: 'unpause', by, scope });
    return this.#done(by, `resumed ${scopeText(scope)}`);
  }

  #done(by: string, text: string): ActionAnswer {
    const { clock, logger, note } = this.#options;
    const at = clock.now();
    logger.warn(`${by} ${text}`, { code: 'action' });
    try {
      note({ kind: 'action', at: micros(at), by, text });
    } catch (error) {
      logger.warn('the action could not be written to the journal', { err: error });
    }
    return { code: 200, text };
  }
}

function scopeOf({ market, event, instance }: ScopeJson): QuoteScope {
  if (market !== undefined) return { kind: 'market', marketId: marketId(market) };
  if (event !== undefined) return { kind: 'event', eventId: eventId(event) };
  return instance === undefined ? { kind: 'all' } : { kind: 'instance', instance };
}
