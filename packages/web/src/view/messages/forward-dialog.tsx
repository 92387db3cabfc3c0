import { useSignal } from '@preact/signals';
import type { Conversation } from '../../narrow/narrow';
import { write } from '../../store/composing';
import { knownPeople } from '../../store/known-people';
import type { Message } from '../../store/messages';
import { read } from '../../store/model';
import { addressOf } from '../../store/place';
import { topicsOf } from '../../store/topics';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt } from '../base/notices';
import { titleOf } from '../base/titles';
import { quoted } from './message-actions';

/** Puts a message as a quote into what is written to another conversation. */
export function showForward(each: Message): void {
  showDialog((close) => <ForwardDialog message={each} close={close} />);
}

const MOST_SHOWN = 30;

function ForwardDialog({ message: each, close }: { message: Message; close: () => void }) {
  const words = useSignal('');
  const t = texts.value;
  const forward = async (narrow: Conversation) => {
    const text = await attempt(() => quoted(each));
    if (text === undefined) return;
    close();
    write(text, narrow);
  };
  const wanted = words.value.trim().toLowerCase();
  const shown = [...topics(), ...people()].filter((narrow) => titleOf(narrow).toLowerCase().includes(wanted));
  return (
    <Dialog title={t.forward} messageId={each.id} close={close} class="forward">
      <input
        type="search"
        aria-label={t.forwardTo}
        placeholder={t.forwardTo}
        value={words.value}
        onInput={({ currentTarget }) => (words.value = currentTarget.value)}
      />
      <ul>
        {shown.slice(0, MOST_SHOWN).map((narrow) => (
          <li key={addressOf(narrow)}>
            <button type="button" onClick={() => void forward(narrow)}>
              {titleOf(narrow)}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Conversations with one or more people, those of late first. */
function people(): Conversation[] {
  const { recent_private_conversations: recent, user_id: own } = read('people', 'unread');
  const known = recent.map(({ user_ids: userIds }) => (userIds.length > 0 ? userIds : [own]));
  const single = new Set(known.filter(({ length }) => length === 1).map(([id]) => id));
  const others = knownPeople.value
    .filter(({ user_id: id, is_bot: isBot }) => !isBot && !single.has(id))
    .map(({ user_id: id }) => [id]);
  return [...known, ...others].map((userIds) => ({ kind: 'direct', userIds }));
}

const MOST_CHANNELS = 20;

/** Topics of channels that the person has joined, those with recent messages first. */
function topics(): Conversation[] {
  const channels = read('channels').subscriptions.filter((each) => !each.is_muted && !each.is_archived);
  return channels
    .slice(0, MOST_CHANNELS)
    .flatMap(({ stream_id: channelId }) => (topicsOf(channelId) ?? []).map((topic) => ({ ...topic, channelId })))
    .sort((a, b) => b.max_id - a.max_id)
    .map(({ channelId, name: topic }) => ({ kind: 'topic', channelId, topic }));
}
