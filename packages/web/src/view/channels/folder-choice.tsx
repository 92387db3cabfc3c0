import { useSignal } from '@preact/signals';
import { call } from '../../api/call';
import { read } from '../../store/model';
import { channelTexts } from '../../texts/channel-texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt } from '../base/notices';
import { Choice, Field } from './fields';

interface FolderChoiceProps {
  folderId: number | null;
  isDisabled?: boolean;
  change: (folderId: number | null) => unknown;
}

/** In which folder the channel is; administrators can make a new one. */
export function FolderChoice({ folderId, isDisabled = false, change }: FolderChoiceProps) {
  const { channel_folders: folders = [], is_admin: isAdmin } = read('channels', 'settings');
  const t = channelTexts.value;
  const known = folders.filter(({ is_archived }) => !is_archived).map(({ id, name }) => [String(id), name] as const);
  return (
    <Choice
      label={t.folder}
      value={folderId === null ? '' : String(folderId)}
      options={[['', t.noFolder], ...known, ...(isAdmin ? [['new', t.newFolder] as const] : [])]}
      isDisabled={isDisabled}
      change={(value) => {
        if (value !== 'new') return change(value === '' ? null : Number(value));
        showDialog((close) => <NewFolder close={close} take={change} />);
        return false;
      }}
    />
  );
}

function NewFolder({ close, take }: { close: () => void; take: (folderId: number) => unknown }) {
  const name = useSignal('');
  const t = channelTexts.value;
  const create = async (event: Event) => {
    event.preventDefault();
    const parameters = { name: name.value.trim(), description: '' };
    const made = await attempt(() =>
      call<{ channel_folder_id: number }>('POST', '/channel_folders/create', parameters),
    );
    if (!made) return;
    close();
    take(made.channel_folder_id);
  };
  return (
    <Dialog title={t.newFolder} close={close}>
      <form onSubmit={(event) => void create(event)}>
        <Field label={t.folderName}>
          {(id) => (
            <input
              id={id}
              required
              maxLength={read().max_channel_folder_name_length}
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
          )}
        </Field>
        <footer>
          <button type="submit" class="main">
            {t.add}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
