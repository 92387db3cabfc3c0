import { signal } from '@preact/signals';
import { call, isPassing } from '../api/call';
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

/** What happens while topics are fetched: the answer may be older. */
interface Meanwhile {
  newest: Topic[];
  isStale: boolean;
}

const loading = new Map<number, Meanwhile>();
/** Before that, what could not be fetched is not asked for again. */
const AGAIN_MS = 5_000;

/** The topics of a channel, the newest first; undefined while they are fetched. */
export function topicsOf(channelId: number): readonly Topic[] | undefined {
  const found = known.value.get(channelId);
  if (!found || found.isStale || found.registration !== registration.value) void load(channelId);
  return found?.topics;
}

async function load(channelId: number): Promise<void> {
  if (loading.has(channelId)) return;
  const meanwhile: Meanwhile = { newest: [], isStale: false };
  loading.set(channelId, meanwhile);
  try {
    const { topics } = await call<{ topics: Topic[] }>('GET', `/users/me/${channelId}/topics`, {
      allow_empty_topic_name: true,
    });
    loading.delete(channelId);
    keep(channelId, meanwhile.newest.reduce(withNewest, topics), meanwhile.isStale);
  } catch (error) {
    if (isPassing(error)) await new Promise((goOn) => setTimeout(goOn, AGAIN_MS));
    loading.delete(channelId);
    // Those who still look ask again. A channel that one may not read has none.
    if (isPassing(error)) known.value = new Map(known.value);
    else keep(channelId, []);
  }
}

function keep(channelId: number, topics: readonly Topic[], isStale = false): void {
  known.value = new Map([...known.value, [channelId, { topics, isStale, registration: registration.value }]]);
}

/** The topics after a message in one of them. */
export function withNewest(topics: readonly Topic[], { name, max_id }: Topic): Topic[] {
  const isIt = (each: Topic) => each.name.toLowerCase() === name.toLowerCase();
  const before = topics.find(isIt);
  const newestId = Math.max(before?.max_id ?? 0, max_id);
  return [{ name: before?.name ?? name, max_id: newestId }, ...topics.filter((each) => !isIt(each))];
}

onEvent((event) => {
  if (event.type === 'message') {
    const { id, stream_id, subject } = event['message'] as { id: number; stream_id?: number; subject: string };
    const newest = { name: subject, max_id: id };
    if (stream_id === undefined) return;
    loading.get(stream_id)?.newest.push(newest);
    const found = known.value.get(stream_id);
    if (found) keep(stream_id, withNewest(found.topics, newest), found.isStale);
  }
  const isMove = event.type === 'update_message' && event['propagate_mode'] !== undefined;
  if (!isMove && event.type !== 'delete_message') return;
  for (const id of [event['stream_id'], event['new_stream_id']]) if (typeof id === 'number') makeStale(id);
});

function makeStale(channelId: number): void {
  const meanwhile = loading.get(channelId);
  if (meanwhile) meanwhile.isStale = true;
  const found = known.value.get(channelId);
  if (found) keep(channelId, found.topics, true);
}
