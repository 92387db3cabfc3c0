import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { mayAdminister, maySetRetention, maySetTopicsPolicy } from '../../store/channel-rights';
import { type Channel, personName, read } from '../../store/model';
import { mayRead } from '../../store/rights';
import { channelTexts } from '../../texts/channel-texts';
import { texts } from '../../texts/texts';
import { useChosen } from '../base/chosen';
import { copyText } from '../base/copy';
import { confirm } from '../base/dialog';
import { attempt, say } from '../base/notices';
import { useTyped } from '../base/typed';
import { dateOf, shortDateOf } from '../messages/times';
import { changeTo, KINDS, type Kind, kindOf } from './channel-kind';
import { Choice, Field } from './fields';
import { FolderChoice } from './folder-choice';
import { NameFields } from './name-fields';
import { updateChannel } from './update-channel';

/** The channel's name, description, kind and rules. */
export function GeneralTab({ channel }: { channel: Channel }) {
  const { stream_id: id } = channel;
  const t = channelTexts.value;
  const mayChange = mayAdminister(channel) && !channel.is_archived;
  return (
    <div class="channel-form">
      {!mayChange && <p class="calm">{channel.is_archived ? t.isArchived : t.mayNotChange}</p>}
      <NameForm key={`${channel.name}/${channel.description}`} channel={channel} mayChange={mayChange} />
      <KindChoice channel={channel} mayChange={mayChange && mayRead(channel)} />
      <FolderChoice
        folderId={channel.folder_id}
        isDisabled={!mayChange}
        change={(folder_id) => updateChannel(id, { folder_id })}
      />
      <Choice
        label={t.topics}
        value={channel.topics_policy}
        options={Object.entries(t.topicsPolicies)}
        isDisabled={!mayChange || !maySetTopicsPolicy(channel)}
        change={(topics_policy) => updateChannel(id, { topics_policy })}
      />
      <Retention channel={channel} mayChange={mayChange && maySetRetention()} />
      {mayRead(channel) && <EmailAddress channelId={id} />}
      <About channel={channel} />
      {mayAdminister(channel) && <Archive channel={channel} />}
    </div>
  );
}

function NameForm({ channel, mayChange }: { channel: Channel; mayChange: boolean }) {
  const draft = useSignal({ name: channel.name, description: channel.description });
  const { name, description } = draft.value;
  const changes = {
    ...(name !== channel.name && { new_name: name }),
    ...(description !== channel.description && { description }),
  };
  const save = (event: Event) => {
    event.preventDefault();
    void updateChannel(channel.stream_id, changes);
  };
  const change = (changed: Partial<typeof draft.value>) => {
    draft.value = { ...draft.value, ...changed };
  };
  return (
    <form onSubmit={save}>
      <NameFields name={name} description={description} isDisabled={!mayChange} change={change} />
      {mayChange && Object.keys(changes).length > 0 && <button type="submit">{channelTexts.value.save}</button>}
    </form>
  );
}

function KindChoice({ channel, mayChange }: { channel: Channel; mayChange: boolean }) {
  const t = channelTexts.value;
  const present = kindOf(channel);
  const offered = KINDS.filter((kind) => kind === present || mayMake(kind));
  return (
    <Choice
      label={t.kind}
      value={present}
      options={offered.map((kind) => [kind, t.kinds[kind]] as const)}
      isDisabled={!mayChange}
      change={(kind) => updateChannel(channel.stream_id, changeTo(kind as Kind))}
    />
  );
}

/** Whether the person may make channels of a kind. */
export function mayMake(kind: Kind): boolean {
  const state = read('settings');
  if (kind === 'webPublic') return state.can_create_web_public_streams;
  return kind === 'public' ? state.can_create_public_streams : state.can_create_private_streams;
}

const UNLIMITED = -1;

/** As the API takes it; null: as the organization has it. */
function sentRetention(days: number | null): number | string {
  if (days === null) return 'realm_default';
  return days === UNLIMITED ? 'unlimited' : days;
}

function useRetention({ stream_id: id, message_retention_days: saved }: Channel) {
  const { shown: days, choose } = useChosen(saved, (value) =>
    updateChannel(id, { message_retention_days: sentRetention(value) }),
  );
  // Until the person has said how many.
  const isWithoutDays = useSignal(false);
  const set = (value: number | null) => {
    isWithoutDays.value = false;
    return choose(value);
  };
  const chooseKind = (kind: string) => {
    if (kind !== 'days') return set(kind === 'unlimited' ? UNLIMITED : null);
    isWithoutDays.value = true;
    return true;
  };
  const isInDays = days !== null && days > 0;
  const kind = isWithoutDays.value || isInDays ? 'days' : String(sentRetention(days));
  return { kind, days: isInDays ? String(days) : '', chooseKind, setDays: set };
}

function Retention({ channel, mayChange }: { channel: Channel; mayChange: boolean }) {
  const t = channelTexts.value;
  const { kind, days, chooseKind, setDays } = useRetention(channel);
  const { clear, ...typed } = useTyped(days);
  return (
    <>
      <Choice
        label={t.retention}
        value={kind}
        options={Object.entries(t.retentions)}
        isDisabled={!mayChange}
        change={chooseKind}
      />
      {kind === 'days' && (
        <Field label={t.days}>
          {(fieldId) => (
            <input
              id={fieldId}
              type="number"
              min={1}
              disabled={!mayChange}
              {...typed}
              onChange={({ currentTarget }) => {
                if (currentTarget.value !== '') void setDays(currentTarget.valueAsNumber);
                clear();
              }}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** Only where the server takes mail. */
function EmailAddress({ channelId }: { channelId: number }) {
  const address = useSignal('');
  const t = channelTexts.value;
  useEffect(() => {
    void call<{ email: string }>('GET', `/streams/${channelId}/email_address`).then(
      ({ email }) => {
        address.value = email;
      },
      // It is not for everybody to know.
      () => {},
    );
  }, [channelId]);
  const copy = () => void copyText(address.value).then(() => say(texts.value.copied));
  if (address.value === '') return null;
  return (
    <div class="field">
      <span>{t.email}</span>
      <button type="button" class="plain" title={texts.value.copyIt} onClick={copy}>
        {address.value}
      </button>
      <small class="calm">{t.emailNote}</small>
    </div>
  );
}

function About({ channel }: { channel: Channel }) {
  const t = channelTexts.value;
  const date = shortDateOf(dateOf(channel.date_created));
  const created = channel.creator_id === null ? t.createdOn(date) : t.createdBy(personName(channel.creator_id), date);
  const weekly = channel.stream_weekly_traffic;
  const facts = [created, t.memberCount(channel.subscriber_count), ...(weekly === null ? [] : [t.weekly(weekly)])];
  return <p class="calm">{facts.join(' · ')}</p>;
}

function Archive({ channel: { stream_id: id, name, is_archived: isArchived } }: { channel: Channel }) {
  const t = channelTexts.value;
  const archive = async () => {
    if (!(await confirm(t.archive, t.archiveQuestion(name), t.archive))) return;
    if (await attempt(() => call('DELETE', `/streams/${id}`))) say(t.saved);
  };
  return (
    <p>
      <button
        type="button"
        class="plain"
        onClick={() => void (isArchived ? updateChannel(id, { is_archived: false }) : archive())}
      >
        {isArchived ? t.unarchive : t.archive}
      </button>
    </p>
  );
}
