import type { PublicEvent } from '@parley/client-model/rules';
import { call } from '../api/call';
import { isSameNarrow, type Narrow, termsOf } from '../narrow/narrow';
import type { MessageList } from './message-list';
import { type Match, matchesIn } from './message-pages';
import { messageNow } from './messages';
import { place } from './place';

// Searches, mentions and starred messages: what belongs there depends on texts, flags and reactions, which change. Only the server
// knows it of messages that the client does not have.

/** More messages than that are not asked about: the list is fetched anew. */
const MOST_ASKED = 100;

/** The messages that an event may bring to such a list or take from it; null: none. */
function changedIn({ narrow, ids }: MessageList, event: PublicEvent): readonly number[] | null {
  if (!['search', 'mentions', 'starred'].includes(narrow.kind)) return null;
  const asks = (operator: string, operand: string) =>
    termsOf(narrow).some((term) => term.operator === operator && term.operand === operand);
  switch (event.type) {
    case 'update_message': {
      const changed = event['message_ids'] as number[];
      if (narrow.kind === 'search' || (narrow.kind === 'mentions' && isMention(event))) return changed;
      const shown = changed.filter((id) => ids.value.includes(id));
      return shown.length > 0 ? shown : null;
    }
    case 'update_message_flags':
      return event['flag'] === 'starred' && asks('is', 'starred') ? (event['messages'] as number[]) : null;
    case 'reaction':
      return asks('has', 'reaction') ? [event['message_id'] as number] : null;
    default:
      return null;
  }
}

const isMention = (event: PublicEvent) => (event['flags'] as string[]).some((flag) => flag.includes('mentioned'));

/** Whether the event may change the list of a search that nobody looks at: read messages stay before the eyes of their reader. */
const makesStale = (narrow: Narrow, { type }: PublicEvent) =>
  narrow.kind === 'search' && ['message', 'update_message_flags', 'user_topic'].includes(type);

/** Has such a list follow an event: at once if it is looked at, otherwise when somebody comes back to it. */
export function followFound(list: MessageList, event: PublicEvent): void {
  const ids = changedIn(list, event);
  if (event.type === 'update_message' && ids) list.unmark(ids);
  if (!isLookedAt(list)) list.isStale ||= ids !== null || makesStale(list.narrow, event);
  else if (ids && ids.length > MOST_ASKED) void list.refresh();
  else if (ids) void findAmong(list, ids);
}

const isLookedAt = (list: MessageList) => isSameNarrow(list.narrow, place.value.narrow);

type Found = Record<string, { match_content?: string; match_subject?: string }>;

/** Asks which of these messages belong to the list, and adds or removes them. */
export async function findAmong(list: MessageList, ids: readonly number[]): Promise<void> {
  if (!isLookedAt(list)) return;
  try {
    const parameters = { msg_ids: ids, narrow: termsOf(list.narrow) };
    const { messages } = await call<{ messages: Found }>('GET', '/messages/matches_narrow', parameters);
    take(list, ids, messages);
  } catch {
    list.isStale = true;
  }
}

function take(list: MessageList, ids: readonly number[], messages: Found): void {
  const found = ids.filter((id) => Object.hasOwn(messages, id));
  list.drop(new Set(ids.filter((id) => !found.includes(id))));
  list.mark(new Map(matchesOf(messages)));
  list.append(found.filter(messageNow));
  const isMissing = (id: number) => !list.ids.value.includes(id) && list.reaches(id);
  if (found.some(isMissing)) void list.refresh();
}

function matchesOf(messages: Found): (readonly [number, Match])[] {
  const all = Object.entries(messages).map(([id, found]) => ({ id: Number(id), ...found }));
  return matchesIn({ messages: all });
}
