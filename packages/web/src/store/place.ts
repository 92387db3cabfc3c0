import { effect, signal, untracked } from '@preact/signals';
import { hashOf, placeAt } from '../narrow/address';
import { isPage, isSameNarrow, type Narrow, narrowOfTerms, type Place, termsOf } from '../narrow/narrow';
import { fetchMessage } from './fetch-message';
import { messageNow } from './messages';
import { channel, channelName, isReady, person, read } from './model';
import { names } from './names';

const START: Place = { narrow: { kind: 'inbox' } };

/** Where the person is: the address says it, so links, the back button and reloading work. */
export const place = signal<Place>(placeAt(location.hash) ?? START);
/** Where the person was before a page without messages. */
let former = START;

addEventListener('hashchange', follow);

/** Whether the person may know the channel or the people: links lead also to what is gone or private. */
export function isVisible(narrow: Narrow): boolean {
  if (narrow.kind === 'channel' || narrow.kind === 'topic') return channel(narrow.channelId) !== undefined;
  return narrow.kind !== 'direct' || narrow.userIds.every((id) => person(id) !== undefined);
}

/** Where people come who have just joined. */
const WELCOME = '#welcome';

function follow(): void {
  if (location.hash === WELCOME) {
    if (isReady.value) location.replace(addressOf(welcomeNarrow()));
    return;
  }
  const isHome = location.hash === '' && isReady.value;
  const found = isHome ? { narrow: homeNarrow() } : placeAt(location.hash);
  if (!found) return;
  if (!isPage(place.value.narrow)) former = place.value;
  place.value = isReady.value ? withKnownIds(found) : found;
  void followMoved(place.value);
}

// Names are looked up when they are known.
effect(() => {
  if (isReady.value) untracked(follow);
});

/** The view shown first, by the person's setting. */
export function homeNarrow(): Narrow {
  const views: Readonly<Record<string, Narrow>> = { recent_topics: { kind: 'recent' }, all_messages: { kind: 'feed' } };
  return views[String(read('settings').user_settings?.['web_home_view'])] ?? START.narrow;
}

/** The welcome bot's message, or else the first channel. */
function welcomeNarrow(): Narrow {
  const { cross_realm_bots: bots, subscriptions } = read();
  const greeter = bots.find(({ email }) => email.startsWith('welcome-bot@'));
  if (greeter) return { kind: 'direct', userIds: [greeter.user_id] };
  const [first] = subscriptions;
  return first ? { kind: 'channel', channelId: first.stream_id } : homeNarrow();
}

/** Old addresses have names instead of ids; and a conversation is with the others. */
function withKnownIds(found: Place): Place {
  const { narrow } = found;
  if (narrow.kind === 'direct') {
    const own = read().user_id;
    const others = narrow.userIds.filter((id) => id !== own);
    return { ...found, narrow: { kind: 'direct', userIds: others.length > 0 ? others : [own] } };
  }
  if (narrow.kind !== 'search') return found;
  const terms = narrow.terms.map((term) => {
    const id = term.operator === 'channel' && typeof term.operand === 'string' && names.channelId(term.operand);
    return typeof id === 'number' ? { ...term, operand: id } : term;
  });
  return { ...found, narrow: narrowOfTerms(terms) };
}

/** The message of a link may have been moved since the link was made: its conversation is what was meant. */
async function followMoved(from: Place): Promise<void> {
  const { narrow, withId, nearId } = from;
  const id = withId ?? nearId;
  if (id === undefined || (narrow.kind !== 'topic' && narrow.kind !== 'channel')) return;
  try {
    const message = messageNow(id) ?? (await fetchMessage(id));
    if (message.stream_id === undefined || place.value !== from) return;
    const channelId = message.stream_id;
    const now: Narrow =
      narrow.kind === 'topic' ? { kind: 'topic', channelId, topic: message.subject } : { ...narrow, channelId };
    if (!isSameNarrow(narrow, now)) location.replace(hashOf({ ...from, narrow: now }, channelName));
  } catch {
    // The message is deleted or hidden: the name of the link is all there is.
  }
}

export function addressOf(narrow: Narrow, nearId?: number): string {
  return hashOf(nearId === undefined ? { narrow } : { narrow, nearId }, channelName);
}

export function go(narrow: Narrow, nearId?: number): void {
  location.hash = addressOf(narrow, nearId);
}

/** The place has another address now, and the former one is none to go back to. At once: the events come too late for what is drawn meanwhile. */
export function moveTo(narrow: Narrow): void {
  location.replace(addressOf(narrow));
  follow();
}

/** The channel of a narrow, if there is one. */
export function channelOf(narrow: Narrow): number | undefined {
  if (narrow.kind === 'channel' || narrow.kind === 'topic') return narrow.channelId;
  const operand = termsOf(narrow).find(({ operator, negated }) => operator === 'channel' && !negated)?.operand;
  return typeof operand === 'number' ? operand : undefined;
}

/** Back to what was there before the page. */
export function leavePage(): void {
  location.hash = hashOf(former, channelName);
}
