import { useMemo } from 'preact/hooks';
import { call } from '../../api/call';
import { trusted } from '../../api/trusted';
import type { Narrow } from '../../narrow/narrow';
import type { Message, Reaction } from '../../store/message-lists';
import { personName, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';
import { titleOf } from '../base/titles';

interface RowProps {
  message: Message;
  /** By the same sender, soon after: without the name. */
  isFollowing: boolean;
  /** The conversation that begins here. */
  place: Narrow | undefined;
}

export function MessageRow({ message, isFollowing, place }: RowProps) {
  read('messages', 'people');
  const { id, sender_id, flags, timestamp } = message;
  const isUnread = !flags.includes('read');
  return (
    <>
      {place && (
        <h2 class="conversation">
          <a href={addressOf(place, id)}>{titleOf(place)}</a>
        </h2>
      )}
      <article class={`message${isFollowing ? ' following' : ''}${isUnread ? ' unread' : ''}`} data-id={id}>
        {!isFollowing && (
          <header>
            <img src={message.avatar_url ?? `/avatar/${sender_id}`} alt="" width="36" height="36" loading="lazy" />
            <strong>{personName(sender_id)}</strong>
            <Time seconds={timestamp} />
          </header>
        )}
        <Content html={message.content} />
        <Notes message={message} />
        <Reactions message={message} />
        <Actions message={message} />
      </article>
    </>
  );
}

function Time({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1_000);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
    </time>
  );
}

function Content({ html }: { html: string }) {
  const safe = useMemo(() => trusted.createHTML(html), [html]);
  return <div class="content" dangerouslySetInnerHTML={{ __html: safe }} />;
}

function Notes({ message }: { message: Message }) {
  const { edited, moved } = texts.value;
  const notes = [message.last_edit_timestamp && edited, message.last_moved_timestamp && moved].filter(Boolean);
  return notes.length > 0 ? <small class="notes">{notes.join(', ')}</small> : null;
}

const emojiOf = ({ emoji_code, reaction_type, emoji_name }: Reaction) =>
  reaction_type === 'unicode_emoji'
    ? String.fromCodePoint(...emoji_code.split('-').map((code) => Number.parseInt(code, 16)))
    : `:${emoji_name}:`;

function Reactions({ message }: { message: Message }) {
  const { user_id: own } = read('messages');
  const kinds = new Map<string, Reaction[]>();
  for (const reaction of message.reactions) {
    const key = `${reaction.reaction_type}/${reaction.emoji_code}`;
    kinds.set(key, [...(kinds.get(key) ?? []), reaction]);
  }
  if (kinds.size === 0) return null;
  return (
    <div class="reactions">
      {[...kinds].map(([key, reactions]) => {
        const [reaction] = reactions as [Reaction];
        const isOwn = reactions.some(({ user_id }) => user_id === own);
        const names = reactions.map(({ user_id }) => personName(user_id)).join(', ');
        return (
          <button
            key={key}
            type="button"
            aria-pressed={isOwn}
            title={`${names}: :${reaction.emoji_name}:`}
            onClick={() => void react(message, reaction, isOwn)}
          >
            {emojiOf(reaction)} {reactions.length}
          </button>
        );
      })}
    </div>
  );
}

function react({ id }: Message, { emoji_name, emoji_code, reaction_type }: Omit<Reaction, 'user_id'>, isOwn: boolean) {
  return call(isOwn ? 'DELETE' : 'POST', `/messages/${id}/reactions`, { emoji_name, emoji_code, reaction_type });
}

const THUMBS_UP = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };

function Actions({ message }: { message: Message }) {
  const isStarred = message.flags.includes('starred');
  const { star, unstar, react: reactText } = texts.value;
  return (
    <div class="actions">
      <button
        type="button"
        title={reactText}
        aria-label={reactText}
        onClick={() => void react(message, THUMBS_UP, false)}
      >
        👍
      </button>
      <button
        type="button"
        title={isStarred ? unstar : star}
        aria-label={isStarred ? unstar : star}
        aria-pressed={isStarred}
        onClick={() =>
          void call('POST', '/messages/flags', {
            messages: [message.id],
            op: isStarred ? 'remove' : 'add',
            flag: 'starred',
          })
        }
      >
        {isStarred ? '★' : '☆'}
      </button>
    </div>
  );
}
