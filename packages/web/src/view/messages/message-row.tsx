import { useComputed, useSignal } from '@preact/signals';
import { editingIds } from '../../store/editing';
import { isFrozen } from '../../store/message-rights';
import { isRead, type Message, message } from '../../store/messages';
import { person, personName, read } from '../../store/model';
import { place } from '../../store/place';
import { isBeingEdited } from '../../store/typists';
import { widgetOf } from '../../store/widgets';
import { texts } from '../../texts/texts';
import { lazily, withPart } from '../base/lazily';
import { showPersonCard } from '../people/person-card';
import { Content } from './content';
import { isKnownEmoji, pictureOf } from './emoji-picture';
import { Fold } from './fold';
import { Reactions } from './reactions';
import { RowActions } from './row-actions';
import { pointedId, selectedId } from './selection';
import { dateOf, fullTimeOf, timeOf } from './times';

const EditBox = lazily(() => import('./edit-box').then((module) => module.EditBox));
const WidgetBox = lazily(() => import('./widget-box').then((module) => module.WidgetBox));

interface RowProps {
  id: number;
  /** By the same sender, soon after: without the name. */
  isFollowing: boolean;
  /** The text with the search's matches marked, as HTML. */
  match?: string | undefined;
}

/** Drawn anew when its own message changes, not with others. */
export function MessageRow({ id, isFollowing, match }: RowProps) {
  const each = message(id);
  const isSelected = useComputed(() => selectedId.value === id).value;
  const isNear = useComputed(() => place.value.nearId === id).value;
  if (!each) return null;
  const states = { following: isFollowing, unread: !isRead(each), selected: isSelected, near: isNear };
  const names = Object.entries(states).flatMap(([name, isSo]) => (isSo ? [name] : []));
  return (
    <article
      class={['message', ...names].join(' ')}
      data-id={id}
      tabIndex={isSelected ? 0 : -1}
      aria-labelledby={`sender-${id} content-${id}`}
      onPointerEnter={() => {
        pointedId.value = id;
      }}
      onPointerUp={() => {
        selectedId.value = id;
      }}
    >
      <Head message={each} isFollowing={isFollowing} />
      <div id={`content-${id}`} class="body">
        <Body message={each} match={match} />
      </div>
      <Notes message={each} />
      <EditingNote id={id} />
      <Reactions message={each} />
      <ActionsIfActive id={id} isSelected={isSelected} />
    </article>
  );
}

/** Buttons for each row would be thousands; only the row that is pointed at or chosen has them. */
function ActionsIfActive({ id, isSelected }: { id: number; isSelected: boolean }) {
  const isPointed = useComputed(() => pointedId.value === id).value;
  const isEdited = useComputed(() => editingIds.value.has(id)).value;
  return (isPointed || isSelected) && !isEdited ? <RowActions id={id} /> : null;
}

function Head({ message: each, isFollowing }: { message: Message; isFollowing: boolean }) {
  const { id, sender_id: senderId, timestamp } = each;
  read('people');
  const sender = person(senderId);
  const name = sender?.full_name ?? each.sender_full_name;
  if (isFollowing) {
    return (
      <>
        <span id={`sender-${id}`} class="hidden">
          {name}
        </span>
        <Time seconds={timestamp} />
      </>
    );
  }
  const showCard = ({ currentTarget }: { currentTarget: HTMLElement }) => showPersonCard(currentTarget, senderId);
  return (
    <header>
      <button type="button" class="avatar" tabIndex={-1} aria-hidden="true" onClick={showCard}>
        <img
          src={sender?.avatar_url ?? each.avatar_url ?? `/avatar/${senderId}`}
          alt=""
          width="36"
          height="36"
          loading="lazy"
        />
      </button>
      <button type="button" class="sender" id={`sender-${id}`} onClick={showCard}>
        {name}
      </button>
      {sender?.is_bot && <span class="bot">{texts.value.bot}</span>}
      <StatusEmoji userId={senderId} />
      <Time seconds={timestamp} />
    </header>
  );
}

function StatusEmoji({ userId }: { userId: number }) {
  const status = read('statuses').user_status?.[userId];
  if (!status?.emoji_name || !isKnownEmoji(status)) return null;
  return (
    <span class="status-emoji" title={status.status_text || status.emoji_name}>
      {pictureOf(status)}
    </span>
  );
}

function Time({ seconds }: { seconds: number }) {
  const date = dateOf(seconds);
  return (
    <time dateTime={date.toISOString()} title={fullTimeOf(date)}>
      {timeOf(date)}
    </time>
  );
}

function Body({ message: each, match }: { message: Message; match: string | undefined }) {
  const { id, content, is_me_message: isAboutSender, submessages, sender_id: senderId } = each;
  const isEdited = useComputed(() => editingIds.value.has(id)).value;
  const isRevealed = useSignal(false);
  if (isEdited) return <EditBox id={id} />;
  if (!isRevealed.value && isMuted(senderId)) {
    return (
      <button type="button" class="notes" onClick={() => (isRevealed.value = true)}>
        {texts.value.fromMuted}
      </button>
    );
  }
  const alertWords = each.flags.includes('has_alert_word') ? read('settings').alert_words : undefined;
  const widget = submessages.length > 0 ? widgetOf(submessages) : null;
  if (widget) return <WidgetBox widget={widget} messageId={id} authorId={senderId} isDisabled={isFrozen(each)} />;
  return (
    <>
      {isAboutSender && <strong class="about">{personName(senderId)}</strong>}
      <Fold messageId={id} html={content}>
        <Content html={match ?? content} isAboutSender={isAboutSender} alertWords={alertWords} />
      </Fold>
    </>
  );
}

function EditingNote({ id }: { id: number }) {
  const isShown = useComputed(() => isBeingEdited(id)).value;
  return isShown ? <small class="notes">{texts.value.beingEdited}</small> : null;
}

const isMuted = (userId: number) => read('people').muted_users?.some(({ id }) => id === userId) ?? false;

function Notes({ message: each }: { message: Message }) {
  const { id, last_edit_timestamp: editedAt, last_moved_timestamp: movedAt } = each;
  const { edited, moved } = texts.value;
  const at = Math.max(editedAt ?? 0, movedAt ?? 0);
  if (at === 0) return null;
  const words = [editedAt && edited, movedAt && moved].filter(Boolean).join(', ');
  const showHistory = () => withPart(import('./history-dialog'), ({ showHistoryOf }) => showHistoryOf(id));
  const isShown = read('settings').realm_message_edit_history_visibility_policy !== 'none';
  const title = fullTimeOf(dateOf(at));
  return isShown ? (
    <button type="button" class="notes" title={title} onClick={showHistory}>
      {words}
    </button>
  ) : (
    <small class="notes" title={title}>
      {words}
    </small>
  );
}
