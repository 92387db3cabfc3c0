import { call } from '../../../api/call';
import { channelName, personName } from '../../../store/model';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { texts } from '../../../texts/texts';
import { attempt } from '../../base/notices';
import { Choice } from '../controls';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { personOptions } from '../options';
import { Picker } from '../picker';
import { useSaving } from '../save';

/** Words that notify like a mention. */
export function AlertWords() {
  const t = settingsTexts.value;
  const { alert_words: words } = readSettings();
  const remove = (word: string) => attempt(() => call('DELETE', '/users/me/alert_words', { alert_words: [word] }));
  return (
    <Part note={t.alertWordsNote}>
      <Listing
        label={t.alertWords}
        items={words}
        textOf={(word) => word}
        keyOf={(word) => word}
        draw={(word) => (
          <Entry title={word}>
            <Action label={t.remove} of={word} run={() => remove(word)} />
          </Entry>
        )}
      />
      <Action isMain label={t.addWords} run={addWords} />
    </Part>
  );
}

function addWords(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addWords,
    action: t.add,
    fields: [{ kind: 'area', name: 'words', label: t.alertWords, hint: t.onePerLine, isRequired: true }],
    submit: ({ words }) => {
      const added = String(words)
        .split('\n')
        .map((word) => word.trim());
      return call('POST', '/users/me/alert_words', { alert_words: added.filter((word) => word !== '') });
    },
  });
}

/** People and topics that one does not want to see, or wants to. */
export function Muted() {
  const t = settingsTexts.value;
  const { muted_users: muted } = readSettings('people');
  const set = (method: string, id: number) => attempt(() => call(method, `/users/me/muted_users/${id}`));
  return (
    <>
      <Part title={t.mutedPeople} note={t.mutedPeopleNote}>
        <Listing
          label={t.mutedPeople}
          items={muted}
          textOf={({ id }) => personName(id)}
          keyOf={({ id }) => id}
          draw={({ id }) => (
            <Entry title={personName(id)}>
              <Action label={t.unmute} of={personName(id)} run={() => set('DELETE', id)} />
            </Entry>
          )}
        />
        <Picker label={t.mutePerson} find={personOptions} take={({ id }) => void set('POST', id)} />
      </Part>
      <OwnTopics />
    </>
  );
}

interface Topic {
  stream_id: number;
  topic_name: string;
  visibility_policy: number;
}

function OwnTopics() {
  const t = settingsTexts.value;
  const { user_topics: topics } = readSettings('channels');
  const shown = topics.filter(({ visibility_policy: policy }) => policy !== 0);
  const name = ({ stream_id: id, topic_name: topic }: Topic) =>
    `#${channelName(id)} › ${topic || texts.value.generalChat}`;
  return (
    <Part title={t.ownTopics} note={t.ownTopicsNote}>
      <Listing
        label={t.ownTopics}
        items={shown}
        textOf={name}
        keyOf={(topic) => `${topic.stream_id}/${topic.topic_name}`}
        draw={(topic) => (
          <Entry title={name(topic)}>
            <TopicPolicy topic={topic} label={name(topic)} />
          </Entry>
        )}
      />
    </Part>
  );
}

function TopicPolicy({ topic, label }: { topic: Topic; label: string }) {
  const { stream_id, topic_name, visibility_policy } = topic;
  const { value, change } = useSaving<unknown>(visibility_policy, (policy) =>
    call('POST', '/user_topics', { stream_id, topic: topic_name, visibility_policy: policy }),
  );
  return (
    <Choice
      id={`topic-${stream_id}-${topic_name}`}
      label={label}
      {...{ value, change, isDisabled: false }}
      choices={settingsTexts.value.topicPolicies.map((text, policy) => [policy, text])}
    />
  );
}
