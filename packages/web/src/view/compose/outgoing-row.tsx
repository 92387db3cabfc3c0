import type { Narrow } from '../../narrow/narrow';
import { write } from '../../store/composing';
import { messagesOf } from '../../store/message-lists';
import { person, read } from '../../store/model';
import { discard, type Outgoing, outgoingIn, sendAgain } from '../../store/outbox';
import { texts } from '../../texts/texts';

interface RowsProps {
  narrow: Narrow;
  /** The messages of the list. */
  ids: readonly number[];
}

/** Within so many seconds, messages of one sender stand below one name. */
const TOGETHER_SECS = 600;

/** Messages that were written here, at the end of the list, until they are in it: by their events, or fetched. */
export function OutgoingRows({ narrow, ids }: RowsProps) {
  const [last] = messagesOf(ids.slice(-1));
  const { user_id: own } = read();
  const isOneConversation = narrow.kind === 'topic' || narrow.kind === 'direct';
  const missing = outgoingIn(narrow).filter(({ id }) => id === undefined || !ids.includes(id));
  return missing.map((each, at) => {
    const isSoon = last !== undefined && each.writtenAt / 1_000 - last.timestamp < TOGETHER_SECS;
    const isFollowing = isOneConversation && (at > 0 || (last?.sender_id === own && isSoon));
    return <OutgoingRow key={each.localId} own={each} isFollowing={isFollowing} />;
  });
}

function OutgoingRow({ own, isFollowing }: { own: Outgoing; isFollowing: boolean }) {
  const { content, error, isWaiting } = own;
  return (
    <article class={isFollowing ? 'message outgoing following' : 'message outgoing'}>
      {!isFollowing && <OwnHead />}
      <div class="content plain" dir="auto">
        {content}
      </div>
      {error === null && !isWaiting && <span class="hidden">{texts.value.sending}</span>}
      {(error !== null || isWaiting) && <Trouble own={own} />}
    </article>
  );
}

function OwnHead() {
  const { user_id: userId } = read('people');
  const { full_name: name = '', avatar_url: picture } = person(userId) ?? {};
  return (
    <header>
      <span class="avatar">
        <img src={picture ?? `/avatar/${userId}`} alt="" width="36" height="36" />
      </span>
      <span class="sender">{name}</span>
    </header>
  );
}

function Trouble({ own: { localId, narrow, content, error, isWaiting } }: { own: Outgoing }) {
  const { notSent, retry, cancel, waiting, continueDraft } = texts.value;
  const takeBack = () => {
    discard(localId);
    write(content, narrow);
  };
  return (
    <p class="trouble" role="alert">
      {isWaiting ? waiting : `${notSent}. ${error}`}{' '}
      <button type="button" onClick={() => sendAgain(localId)}>
        {retry}
      </button>{' '}
      {/* A waiting message may have been sent already: it cannot be edited. */}
      {!isWaiting && (
        <button type="button" onClick={takeBack}>
          {continueDraft}
        </button>
      )}{' '}
      <button type="button" onClick={() => discard(localId)}>
        {cancel}
      </button>
    </p>
  );
}
