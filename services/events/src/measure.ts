import { declareGauge, onScrape } from '@parley/shared/observability';
import type { Context } from './context';

const parkedPolls = declareGauge('parley_events_held_polls', 'Polls that wait for an event');
const queues = declareGauge('parley_events_queues', 'Queues that this pod knows');
const windowBytes = declareGauge('parley_events_window_bytes', 'Memory that the recent log takes, roughly');
const unreadRecords = declareGauge('parley_events_unread_records', 'Records of the log that this pod has not read yet');

/** Registers this pod's metrics until the returned function is called. */
export function measure({ counters, queues: open, window, bus }: Context): () => void {
  const stopCounting = onScrape(() => [
    { gauge: parkedPolls, value: counters.parkedPolls },
    { gauge: queues, value: open.count },
    { gauge: windowBytes, value: window.weight },
  ]);
  const stopAsking = onScrape(async () => {
    const { state } = await bus.jsm.streams.info(bus.stream);
    return [{ gauge: unreadRecords, value: Math.max(0, state.last_seq - window.head) }];
  });
  return () => {
    stopCounting();
    stopAsking();
  };
}
