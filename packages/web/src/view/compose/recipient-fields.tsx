import { useSignal } from '@preact/signals';
import { Hash, Lock, X } from 'lucide';
import type { Target, Writing } from '../../store/composing';
import { focusRequests } from '../../store/composing';
import { keepSoon } from '../../store/drafts';
import { channel, channelName, personName, read } from '../../store/model';
import { mayPostIn, topicRuleOf } from '../../store/rights';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import type { Choice } from './choice-list';
import { ComboField } from './combo-field';
import { findChannels, findPeople, findTopics } from './suggest';

/** To whom a message goes, as far as the place does not say it. */
export function RecipientFields({ writing }: { writing: Writing }) {
  const target = writing.target.value;
  const change = (next: Target) => {
    writing.target.value = next;
    if (writing.content.value !== '') keepSoon(writing);
  };
  if (writing.fixed === 'all') return null;
  if (target.kind === 'direct') return <PeopleField userIds={target.userIds} change={change} />;
  const { channelId } = target;
  return (
    <div class="recipients">
      {writing.fixed === 'nothing' && (
        <ChannelField channelId={channelId} take={(id) => change({ ...target, channelId: id })} />
      )}
      {channelId !== null && (
        <TopicField target={target} change={change} isFocused={writing.fixed === 'nothing' && target.topic === ''} />
      )}
    </div>
  );
}

function ChannelField({ channelId, take }: { channelId: number | null; take: (channelId: number | null) => void }) {
  const text = useSignal(channelId === null ? '' : channelName(channelId));
  return (
    <ComboField
      label={texts.value.chooseChannel}
      text={text.value}
      isFocused={channelId === null}
      choices={(query) =>
        findChannels(query, mayPostIn).map(({ stream_id, name, invite_only, description }) => ({
          ...{ key: `${stream_id}`, label: name, note: description, icon: invite_only ? Lock : Hash },
        }))
      }
      take={({ key, label }) => {
        text.value = label;
        take(Number(key));
      }}
      onType={(typed) => {
        text.value = typed;
        take(null);
      }}
    />
  );
}

type ChannelTarget = Extract<Target, { kind: 'channel' }>;

interface TopicProps {
  target: ChannelTarget;
  change: (target: Target) => void;
  isFocused: boolean;
}

function TopicField({ target, change, isFocused }: TopicProps) {
  const { max_topic_length } = read('settings', 'channels');
  const channelId = target.channelId as number;
  const place = channel(channelId);
  const rule = place ? topicRuleOf(place) : 'optional';
  const { topic, topicOptional, generalChat } = texts.value;
  if (rule === 'none') return <p class="general">{generalChat}</p>;
  return (
    <ComboField
      key={channelId}
      label={rule === 'required' ? topic : topicOptional(generalChat)}
      text={target.topic}
      maxLength={max_topic_length}
      isFocused={isFocused}
      choices={(query) => topicChoices(channelId, query)}
      take={({ key }) => {
        change({ ...target, topic: key });
        focusRequests.value += 1;
      }}
      onType={(typed) => change({ ...target, topic: typed })}
    />
  );
}

/** What is typed stands first: it may be the beginning of another topic's name. */
function topicChoices(channelId: number, query: string): Choice[] {
  const { generalChat, newTopic } = texts.value;
  const typed = query.trim();
  const found = findTopics(channelId, query).map((name) => ({ key: name, label: name || generalChat }));
  if (typed === '' || found.length === 0) return found;
  const isTyped = ({ key, label }: Choice) => [key, label].some((name) => name.toLowerCase() === typed.toLowerCase());
  const first = found.find(isTyped) ?? { key: typed, label: typed, note: newTopic };
  return [first, ...found.filter((each) => each !== first)];
}

function PeopleField({ userIds, change }: { userIds: readonly number[]; change: (target: Target) => void }) {
  const text = useSignal('');
  const set = (ids: readonly number[]) => change({ kind: 'direct', userIds: ids });
  return (
    <div class="recipients people-field">
      {userIds.map((id) => (
        <span key={id} class="chip">
          {personName(id)}
          <IconButton
            of={X}
            label={texts.value.removePerson(personName(id))}
            onClick={() => set(userIds.filter((each) => each !== id))}
          />
        </span>
      ))}
      <ComboField
        label={userIds.length > 0 ? texts.value.addPeople : texts.value.recipients}
        text={text.value}
        onType={(typed) => {
          text.value = typed;
        }}
        isFocused={userIds.length === 0}
        choices={(query) => (query === '' && userIds.length > 0 ? [] : peopleChoices(query, userIds))}
        take={({ key }) => {
          text.value = '';
          set([...userIds, Number(key)]);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Backspace' && text.value === '') set(userIds.slice(0, -1));
        }}
      />
    </div>
  );
}

function peopleChoices(query: string, without: readonly number[]): Choice[] {
  return findPeople(query, undefined, without).map(({ user_id: id, full_name, email, avatar_url }) => ({
    ...{ key: `${id}`, label: full_name, note: email, image: avatar_url ?? `/avatar/${id}` },
  }));
}
