import { type Item, listOf, mapOf, type State } from '@parley/client-model/state';

/** What is known of a state before events are applied to it. */
interface Former {
  channelIds: ReadonlySet<unknown>;
  newestId: number;
}

/** `newestId`: of anybody's messages, not of one's own only: an older one may come from another channel, of which no event tells. */
export function formerOf(state: State, newestId: number): Former {
  return { channelIds: channelIdsOf(state), newestId };
}

/** The newest message that anybody has. */
export function newestOf(states: readonly State[]): number {
  return Math.max(...states.map((state) => state['max_message_id'] as number));
}

const channelIdsOf = (state: State) => new Set(listOf(state, 'subscriptions').map(({ stream_id: id }) => id));

/** Takes away what no event can tell, and what clients do not remember: from the state with events applied, and from a new registration's. */
export function dropUntold(former: Former, replayed: State, fresh: State): void {
  const isKept = keptMessages(former, replayed, fresh);
  const wildcards = new Set(
    listOf(fresh, 'messages')
      .filter(isForMany)
      .map(({ id }) => id),
  );
  for (const state of [replayed, fresh]) {
    state['messages'] = listOf(state, 'messages').filter(isKept);
    listOf(state, 'messages').forEach(dropFromMessage);
    // Those for many do not count in muted topics: clients have not kept which ones these are.
    const unread = state['unread_msgs'] as { mentions: number[]; streams: Item[] };
    unread.mentions = unread.mentions.filter((id) => !wildcards.has(id));
    // A topic has the casing of its newest unread message, which clients need not have.
    for (const topic of unread.streams) topic['topic'] = String(topic['topic']).toLowerCase();
    // Changes of bots that are for private channels are told to their owners only.
    state['realm_bots'] = listOf(state, 'realm_bots').filter(({ owner_id: id }) => id === state['user_id']);
  }
  dropAddressedPresences(replayed, fresh);
  dropHiddenChannels(replayed, fresh);
}

/** Clients fetch messages when they show them: of other channels, and those that come back into reach. */
function keptMessages(former: Former, replayed: State, fresh: State): (message: Item) => boolean {
  const channels = [former.channelIds, channelIdsOf(replayed), channelIdsOf(fresh)];
  const known = new Set(listOf(replayed, 'messages').map(({ id }) => id));
  return ({ id, type, stream_id: channelId }) => {
    const isRead = type !== 'stream' || channels.every((each) => each.has(channelId));
    return isRead && (known.has(id) || (id as number) > former.newestId);
  };
}

/**
 * Words that were chosen later; former channels, which are hidden from those who may not see them now; and by what messages are grouped, before
 * the first one of a channel comes.
 */
function dropFromMessage(message: Item): void {
  message['flags'] = (message['flags'] as string[]).filter((flag) => flag !== 'has_alert_word');
  delete message['edit_history'];
  if (message['type'] === 'stream') delete message['recipient_id'];
}

function isForMany({ flags }: Item): boolean {
  return !(flags as string[]).includes('mentioned');
}

/** Of people whom a restricted guest meets: old clients get them with the next report. */
function dropAddressedPresences(replayed: State, fresh: State): void {
  const known = mapOf(replayed, 'presences');
  const presences = mapOf(fresh, 'presences');
  for (const key of Object.keys(presences)) if (!/^\d+$/.test(key) && !(key in known)) delete presences[key];
}

/** Bots have no channel while their owner may not see it, which others cannot know. */
function dropHiddenChannels(replayed: State, fresh: State): void {
  const known = new Map(listOf(replayed, 'realm_bots').map((bot) => [bot['user_id'], bot]));
  for (const bot of listOf(fresh, 'realm_bots')) {
    const former = known.get(bot['user_id']) ?? bot;
    for (const name of ['default_sending_stream', 'default_events_register_stream']) {
      if (bot[name] === null || former[name] === null) bot[name] = former[name];
    }
  }
}
