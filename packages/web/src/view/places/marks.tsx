import { Archive, Globe, Hash, Lock } from 'lucide';
import { type Channel, read } from '../../store/model';
import { bareTopic } from '../../store/place-actions';
import { presenceOf } from '../../store/presence';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';

interface CountProps {
  count?: number | undefined;
  mentionCount?: number | undefined;
  /** Of all there are, read or not. */
  isOfAll?: boolean;
}

/** How many messages are unread; mentions stand out. */
export function Count({ count = 0, mentionCount = 0, isOfAll = false }: CountProps) {
  const t = texts.value;
  if (count === 0) return null;
  return (
    <>
      {mentionCount > 0 && (
        <span class="mention" role="img" aria-label={t.mentionCount(mentionCount)}>
          @
        </span>
      )}
      <span class="count">
        {count > 9_999 ? '9999+' : count}
        {!isOfAll && <span class="hidden"> {t.unreadCount(count)}</span>}
      </span>
    </>
  );
}

/** The icon of the channel's kind, in its color. */
export function ChannelMark({ channel }: { channel: Channel & { color?: string } }) {
  read('channels');
  const t = texts.value;
  const [icon, label] = channel.is_archived
    ? [Archive, t.archivedChannel]
    : channel.is_web_public
      ? [Globe, t.webPublicChannel]
      : channel.invite_only
        ? [Lock, t.privateChannel]
        : [Hash, t.publicChannel];
  return (
    <span class="mark" role="img" aria-label={label} title={label} style={channel.color && `--own: ${channel.color}`}>
      <Icon of={icon} />
    </span>
  );
}

export function PresenceMark({ userId }: { userId: number }) {
  const presence = presenceOf(userId);
  return <span class={`presence ${presence}`} role="img" aria-label={texts.value[presence]} />;
}

/** A topic's name for people, without the mark of resolved ones. */
export function topicLabel(topic: string): string {
  return bareTopic(topic) || texts.value.generalChat;
}
