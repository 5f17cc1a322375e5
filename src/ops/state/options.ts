/** What a bot on the wire is started with. */
import type { Clock } from '../../core/ports/clock.js';
import type { Random } from '../../core/ports/random.js';
import type { BotSettings, SettingsSource, VenueSettings } from '../../settings/index.js';
import type { Logger } from '../telemetry/logger.js';

export interface BotOptions {
  readonly settings: BotSettings;
  /** The venue to trade on: of the settings, or the bundled exchange that was started for it. */
  readonly venue: VenueSettings;
  readonly source: SettingsSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly runId: string;
}
