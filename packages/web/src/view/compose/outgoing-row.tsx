import { person, read } from '../../store/model';
import { discard, type Outgoing, sendAgain } from '../../store/outbox';
import { texts } from '../../texts/texts';

/** A message that was written here, at the end of the list, until its event comes. */
export function OutgoingRow({ own }: { own: Outgoing }) {
  const { user_id: userId } = read('people');
  const { full_name: name = '', avatar_url: picture } = person(userId) ?? {};
  return (
    <article class="message outgoing">
      <header>
        <img src={picture ?? `/avatar/${userId}`} alt="" width="36" height="36" />
        <strong>{name}</strong>
        {own.error === null && !own.isWaiting && <small class="notes">{texts.value.sending} …</small>}
      </header>
      <div class="content plain">{own.content}</div>
      {(own.error !== null || own.isWaiting) && <Trouble own={own} />}
    </article>
  );
}

function Trouble({ own: { localId, error, isWaiting } }: { own: Outgoing }) {
  const { notSent, retry, cancel, waiting } = texts.value;
  return (
    <p class="trouble" role="alert">
      {isWaiting ? waiting : `${notSent}. ${error}`}{' '}
      <button type="button" onClick={() => sendAgain(localId)}>
        {retry}
      </button>{' '}
      <button type="button" onClick={() => discard(localId)}>
        {cancel}
      </button>
    </p>
  );
}
