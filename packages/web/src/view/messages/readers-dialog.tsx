import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { personName } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt } from '../base/notices';

/** Shows who has read a message. */
export function showReaders(id: number): void {
  showDialog((close) => <ReadersDialog id={id} close={close} />);
}

function ReadersDialog({ id, close }: { id: number; close: () => void }) {
  const userIds = useSignal<readonly number[] | null>(null);
  useEffect(() => void load(), []);
  async function load(): Promise<void> {
    const answer = await attempt(() => call<{ user_ids: number[] }>('GET', `/messages/${id}/read_receipts`));
    if (answer) userIds.value = answer.user_ids;
    else close();
  }
  const { readers, nobodyRead, loading } = texts.value;
  const people = (userIds.value ?? [])
    .map((userId) => ({ userId, name: personName(userId) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={readers} messageId={id} close={close}>
      {userIds.value === null && <p>{loading}</p>}
      {userIds.value?.length === 0 && <p>{nobodyRead}</p>}
      <ul>
        {people.map(({ userId, name }) => (
          <li key={userId}>
            <a href={addressOf({ kind: 'direct', userIds: [userId] })} onClick={close}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
