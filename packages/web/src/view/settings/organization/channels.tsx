import { call } from '../../../api/call';
import { channelName } from '../../../store/model';
import { type ChannelFolder, readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { attempt } from '../../base/notices';
import { useFetched } from '../fetched';
import { type FormField, showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { channelOptions } from '../options';
import { MoveActions } from '../order';
import { Picker } from '../picker';

/** Channels for those who join, and folders. */
export function ChannelsAndFolders() {
  return (
    <>
      <DefaultChannels />
      <Folders />
    </>
  );
}

function DefaultChannels() {
  const t = settingsTexts.value;
  const { realm_default_streams: ids, is_admin: isAdmin } = readSettings('channels');
  const set = (method: string, id: number) => attempt(() => call(method, '/default_streams', { stream_id: id }));
  return (
    <Part title={t.defaultChannels} note={t.defaultChannelsNote}>
      <Listing
        label={t.defaultChannels}
        items={ids}
        textOf={channelName}
        keyOf={(id) => id}
        draw={(id) => (
          <Entry title={`#${channelName(id)}`}>
            {isAdmin && <Action label={t.remove} of={channelName(id)} run={() => set('DELETE', id)} />}
          </Entry>
        )}
      />
      {isAdmin && (
        <Picker
          label={t.addChannel}
          find={(words) => channelOptions(words).filter((option) => !ids.includes(option.id))}
          take={({ id }) => void set('POST', id)}
        />
      )}
    </Part>
  );
}

interface FoldersAnswer {
  channel_folders: ChannelFolder[];
}

function Folders() {
  const t = settingsTexts.value;
  const { is_admin: isAdmin } = readSettings();
  const { answer } = useFetched<FoldersAnswer>('/channel_folders', { include_archived: true }, 'channel_folder');
  const folders = answer.value?.channel_folders ?? [];
  const open = folders.filter(({ is_archived: isArchived }) => !isArchived);
  const archived = folders.filter(({ is_archived: isArchived }) => isArchived);
  const reorder = (ids: readonly number[]) =>
    attempt(() => call('PATCH', '/channel_folders', { order: [...ids, ...archived.map(({ id }) => id)] }));
  return (
    <Part title={t.folders}>
      <Listing
        label={t.folders}
        items={[...open, ...archived]}
        textOf={({ name }) => name}
        keyOf={({ id }) => id}
        draw={(folder) => (
          <Entry title={folder.name} detail={folder.is_archived ? t.archived : folder.description}>
            {isAdmin && !folder.is_archived && (
              <MoveActions ids={open.map(({ id }) => id)} id={folder.id} name={folder.name} reorder={reorder} />
            )}
            {isAdmin && <FolderActions folder={folder} />}
          </Entry>
        )}
      />
      {isAdmin && <Action label={t.newFolder} run={createFolder} />}
    </Part>
  );
}

function FolderActions({ folder }: { folder: ChannelFolder }) {
  const t = settingsTexts.value;
  const { id, name, is_archived: isArchived } = folder;
  const set = () => attempt(() => call('PATCH', `/channel_folders/${id}`, { is_archived: !isArchived }));
  return (
    <>
      <Action label={t.edit} of={name} run={() => editFolder(folder)} />
      <Action label={isArchived ? t.unarchive : t.archive} of={name} run={set} />
    </>
  );
}

const folderFields = (folder?: ChannelFolder): FormField[] => {
  const t = settingsTexts.value;
  return [
    { kind: 'text', name: 'name', label: t.name, initial: folder?.name ?? '', isRequired: true, maxLength: 60 },
    {
      ...{ kind: 'text', name: 'description', label: t.description },
      ...{ initial: folder?.description ?? '', maxLength: 1_024 },
    },
  ];
};

function createFolder(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newFolder,
    action: t.create,
    fields: folderFields(),
    submit: (values) => call('POST', '/channel_folders/create', values),
  });
}

function editFolder(folder: ChannelFolder): void {
  showForm({
    title: folder.name,
    action: settingsTexts.value.save,
    fields: folderFields(folder),
    submit: (values) => call('PATCH', `/channel_folders/${folder.id}`, values),
  });
}
