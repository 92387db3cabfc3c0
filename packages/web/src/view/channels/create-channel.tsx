import { useSignal } from '@preact/signals';
import { call } from '../../api/call';
import { hashOf } from '../../narrow/address';
import type { Narrow } from '../../narrow/narrow';
import { read } from '../../store/model';
import { channelTexts } from '../../texts/channel-texts';
import { attempt } from '../base/notices';
import { flagsOf, KINDS, type Kind } from './channel-kind';
import { Choice, Flag } from './fields';
import { FolderChoice } from './folder-choice';
import { mayMake } from './general-tab';
import { NameFields } from './name-fields';
import { PickMembers } from './pick-members';

interface Draft {
  name: string;
  description: string;
  kind: Kind;
  folderId: number | null;
  isAnnounced: boolean;
  isDefault: boolean;
}

/** Makes a channel. */
export function CreateChannel() {
  const offered = KINDS.filter(mayMake);
  const { user_id: own } = read();
  const draft = useSignal<Draft>({
    ...{ name: '', description: '', kind: offered[0] ?? 'public', folderId: null, isAnnounced: true, isDefault: false },
  });
  const members = useSignal<readonly number[]>([own]);
  const t = channelTexts.value;
  const change = (changes: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changes };
  };
  const create = async (event: Event) => {
    event.preventDefault();
    const made = await attempt(() => post(draft.value, members.value));
    if (made) goToNew(made.id, draft.value.name, members.value.includes(own));
  };
  return (
    <form class="channel-form" onSubmit={(event) => void create(event)}>
      <h2>{t.create}</h2>
      <NameFields name={draft.value.name} description={draft.value.description} change={change} />
      <Choice
        label={t.kind}
        value={draft.value.kind}
        options={offered.map((kind) => [kind, t.kinds[kind]] as const)}
        change={(kind) => change({ kind: kind as Kind })}
      />
      <FolderChoice folderId={draft.value.folderId} change={(folderId) => change({ folderId })} />
      <Flags draft={draft.value} change={change} />
      <h3>{t.members}</h3>
      <PickMembers chosen={members} />
      <p>
        <button type="submit">{t.create}</button>
      </p>
    </form>
  );
}

/** Its name may not have come with an event yet. */
function goToNew(channelId: number, name: string, isMember: boolean): void {
  const narrow: Narrow = isMember ? { kind: 'channel', channelId } : { kind: 'channels', path: [String(channelId)] };
  location.hash = hashOf({ narrow }, () => name);
}

interface PartProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

function mayAnnounce({ kind }: Draft): boolean {
  const isOpen = kind === 'public' || kind === 'webPublic';
  return isOpen && (read('settings').realm_new_stream_announcements_stream_id ?? -1) > 0;
}

function Flags({ draft, change }: PartProps) {
  const t = channelTexts.value;
  return (
    <>
      {mayAnnounce(draft) && (
        <Flag label={t.announce} isSet={draft.isAnnounced} change={(isAnnounced) => change({ isAnnounced })} />
      )}
      {read('settings').is_admin && !flagsOf(draft.kind).invite_only && (
        <Flag label={t.isDefault} isSet={draft.isDefault} change={(isDefault) => change({ isDefault })} />
      )}
    </>
  );
}

function post(draft: Draft, subscribers: readonly number[]): Promise<{ id: number }> {
  const flags = flagsOf(draft.kind);
  return call('POST', '/channels/create', {
    ...flags,
    ...{ name: draft.name.trim(), description: draft.description.trim(), subscribers },
    ...{ announce: draft.isAnnounced && mayAnnounce(draft), is_default_stream: draft.isDefault && !flags.invite_only },
    ...(draft.folderId !== null && { folder_id: draft.folderId }),
  });
}
