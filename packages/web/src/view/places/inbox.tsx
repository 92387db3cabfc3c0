import { channelName, personName, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { unread } from '../../store/unread';
import { texts } from '../../texts/texts';

/** All conversations with unread messages. */
export function Inbox() {
  read('unread', 'people', 'channels');
  const { directs, channels } = unread.value;
  const conversations = [...directs, ...[...channels.values()].flatMap(({ topics }) => topics)];
  return (
    <section class="inbox">
      <h1>{texts.value.inbox}</h1>
      {conversations.length === 0 && <p class="notice">{texts.value.nothingUnread}</p>}
      <ul>
        {conversations.map(({ narrow, count, mentionCount }) => (
          <li key={addressOf(narrow)}>
            <a href={addressOf(narrow)}>
              <span class="label">
                {narrow.kind === 'direct'
                  ? narrow.userIds.map(personName).join(', ')
                  : `#${channelName(narrow.channelId)} › ${narrow.topic || texts.value.generalChat}`}
              </span>
              {mentionCount > 0 && <span class="mention">@</span>}
              <span class="count">{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
