import { useMemo } from 'preact/hooks';
import { trusted } from '../../api/trusted';
import { message, narrowOf } from '../../store/messages';
import { channelName, personName, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';
import { dateOf, dayOf } from './times';

export function DayLine({ id }: { id: number }) {
  const each = message(id);
  if (!each) return null;
  return (
    <p class="day">
      <span>{dayOf(dateOf(each.timestamp))}</span>
    </p>
  );
}

export function UnreadLine() {
  return (
    <p class="unread-line">
      <span>{texts.value.unreadFrom}</span>
    </p>
  );
}

/** The conversation that begins here. `match`: the topic with what a search found in it, as HTML. */
export function ConversationHead({ id, match }: { id: number; match: string | undefined }) {
  const each = message(id);
  read('channels', 'people');
  if (!each) return null;
  const narrow = narrowOf(each);
  if (narrow.kind === 'direct') {
    return (
      <h2 class="conversation">
        <a href={addressOf(narrow, id)}>{narrow.userIds.map(personName).join(', ')}</a>
      </h2>
    );
  }
  const { channelId, topic } = narrow;
  return (
    <h2 class="conversation">
      <a href={addressOf({ kind: 'channel', channelId }, id)}>#{channelName(channelId)}</a>{' '}
      <span aria-hidden="true">›</span>{' '}
      <a href={addressOf(narrow, id)}>
        {match && topic !== '' ? <Found html={match} /> : topic || texts.value.generalChat}
      </a>
    </h2>
  );
}

function Found({ html }: { html: string }) {
  const safe = useMemo(() => trusted.createHTML(html), [html]);
  return <span dangerouslySetInnerHTML={{ __html: safe }} />;
}
