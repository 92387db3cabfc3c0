import { signal } from '@preact/signals';
import { call } from '../api/call';
import { onEvent, registration } from './model';

export interface Topic {
  name: string;
  max_id: number;
}

interface Known {
  registration: number;
  topics: readonly Topic[];
  /** Something has happened that only the server can tell the outcome of. */
  isStale: boolean;
}

const known = signal<ReadonlyMap<number, Known>>(new Map());
const loading = new Set<number>();

/** The topics of a channel, the newest first; undefined while they are fetched. */
export function topicsOf(channelId: number): readonly Topic[] | undefined {
  const found = known.value.get(channelId);
  if (!found || found.isStale || found.registration !== registration.value) void load(channelId);
  return found?.topics;
}

async function load(channelId: number): Promise<void> {
  if (loading.has(channelId)) return;
  loading.add(channelId);
  try {
    const { topics } = await call<{ topics: Topic[] }>('GET', `/users/me/${channelId}/topics`, {
      allow_empty_topic_name: true,
    });
    keep(channelId, topics);
  } catch {
    // A channel that one may not read has none.
    keep(channelId, []);
  } finally {
    loading.delete(channelId);
  }
}

function keep(channelId: number, topics: readonly Topic[], isStale = false): void {
  known.value = new Map([...known.value, [channelId, { topics, isStale, registration: registration.value }]]);
}

/** The topics after a message in one of them. */
export function withNewest(topics: readonly Topic[], { name, max_id }: Topic): Topic[] {
  const isIt = (each: Topic) => each.name.toLowerCase() === name.toLowerCase();
  const before = topics.find(isIt);
  return [{ name: before?.name ?? name, max_id }, ...topics.filter((each) => !isIt(each))];
}

onEvent((event) => {
  if (event.type === 'message') {
    const { id, stream_id, subject } = event['message'] as { id: number; stream_id?: number; subject: string };
    const found = stream_id !== undefined && known.value.get(stream_id);
    if (found) keep(stream_id, withNewest(found.topics, { name: subject, max_id: id }), found.isStale);
  }
  const isMove = event.type === 'update_message' && event['propagate_mode'] !== undefined;
  if (!isMove && event.type !== 'delete_message') return;
  for (const id of [event['stream_id'], event['new_stream_id']]) {
    const found = typeof id === 'number' && known.value.get(id);
    if (found) keep(id as number, found.topics, true);
  }
});
