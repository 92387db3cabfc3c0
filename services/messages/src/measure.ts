import { declareGauge, onScrape } from '@parley/shared/observability';
import type { Context } from './context';

const waiting = declareGauge('parley_rendering_waiting', 'Long texts that wait for their turn to be rendered');

/** Registers this replica's metrics until the returned function is called. */
export function measure({ rendering }: Pick<Context, 'rendering'>): () => void {
  return onScrape(() => [{ gauge: waiting, value: rendering.waitingCount }]);
}
