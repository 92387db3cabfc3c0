import { signal } from '@preact/signals';
import { TriangleAlert } from 'lucide';
import { call } from '../../api/call';
import { RESOLVED_TOPIC_PREFIX } from '../../narrow/resolved-topic';
import type { Target, Writing } from '../../store/composing';
import { type Channel, changed, channel, type Person, person, read, registration } from '../../store/model';
import { names } from '../../store/names';
import { mayAddTo } from '../../store/rights';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { attempt } from '../base/notices';
import { mentionsIn } from './mentions';

interface Note {
  text: string;
  action?: { label: string; run: () => void };
}

/** Warnings before a message is sent. */
export function Notes({ writing }: { writing: Writing }) {
  read('people', 'channels', 'settings');
  const notes = [...notesOnTarget(writing.target.value), ...notesOnContent(writing)];
  return (
    <div class="compose-notes" role="status">
      {notes.map(({ text, action }) => (
        <p key={text}>
          <Icon of={TriangleAlert} /> <span>{text}</span>
          {action && (
            <button type="button" onClick={action.run}>
              {action.label}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

function notesOnTarget(target: Target): Note[] {
  const { topicIsResolved, guestReads } = texts.value;
  if (target.kind === 'channel')
    return target.topic.startsWith(RESOLVED_TOPIC_PREFIX) ? [{ text: topicIsResolved }] : [];
  const { realm_enable_guest_user_dm_warning: isWanted, is_guest: isGuest } = read('settings');
  const guests = target.userIds.map(person).filter((each) => each?.is_guest);
  if (isWanted === false || isGuest || guests.length === 0) return [];
  return [{ text: guestReads(guests.map((each) => each?.full_name).join(', ')) }];
}

function notesOnContent(writing: Writing): Note[] {
  const target = writing.target.value;
  const here = target.kind === 'channel' && target.channelId !== null ? channel(target.channelId) : undefined;
  const mentions = mentionsIn(writing.content.value);
  const notes = mentions.channels.flatMap((name) => {
    const id = names.channelId(name);
    const named = id === undefined ? undefined : channel(id);
    return named?.invite_only && named !== here ? [{ text: texts.value.privateMentioned(named.name) }] : [];
  });
  if (!here) return notes;
  const people = mentions.people.flatMap(
    (each) => person(typeof each === 'number' ? each : (names.personId(each) ?? -1)) ?? [],
  );
  const strangers = people.filter((each) => !each.is_bot && isSubscribed(here, each.user_id) === false);
  return [...notes, ...strangers.map((each) => strangerNote(here, each))];
}

function strangerNote(here: Channel, { user_id, full_name }: Person): Note {
  const { notSubscribed, subscribeThem } = texts.value;
  const text = notSubscribed(full_name);
  if (!mayAddTo(here)) return { text };
  const run = () =>
    void attempt(async () => {
      await call('POST', '/users/me/subscriptions', { subscriptions: [{ name: here.name }], principals: [user_id] });
      answers.value = new Map([...answers.value, [keyOf(here, user_id), true]]);
      changed('channels');
    });
  return { text, action: { label: subscribeThem(full_name), run } };
}

/** Answers of the server about people in channels of which only some subscribers are known. */
const answers = signal<ReadonlyMap<string, boolean>>(new Map());
const asked = new Set<string>();
const keyOf = ({ stream_id }: Channel, userId: number) => `${registration.value}/${stream_id}/${userId}`;

/** Undefined: it is not known yet. */
function isSubscribed(here: Channel, userId: number): boolean | undefined {
  if (here.subscribers) return here.subscribers.includes(userId);
  if (here.partial_subscribers?.includes(userId)) return true;
  const key = keyOf(here, userId);
  const known = answers.value.get(key);
  if (known === undefined && !asked.has(key)) void ask(here, userId, key);
  return known;
}

async function ask({ stream_id }: Channel, userId: number, key: string): Promise<void> {
  asked.add(key);
  try {
    const path = `/users/${userId}/subscriptions/${stream_id}`;
    const { is_subscribed } = await call<{ is_subscribed: boolean }>('GET', path);
    answers.value = new Map([...answers.value, [key, is_subscribed]]);
  } catch {
    // Only a note; it is asked again with the next mention.
    asked.delete(key);
  }
}
