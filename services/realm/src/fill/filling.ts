import type { SeededRandom } from '@parley/shared/values';
import type { FillSize } from './fill-size';

/** What filling an organization goes by. */
export interface Filling {
  realmId: number;
  /** Who has made the channels and groups. */
  ownerId: number;
  nowMs: number;
  size: FillSize;
  random: SeededRandom;
}
