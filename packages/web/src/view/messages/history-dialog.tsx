import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { channelName, personName } from '../../store/model';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt } from '../base/notices';
import { Content } from './content';
import { dateOf, fullTimeOf } from './times';

/** A message after one of its changes; the first is the original. */
interface Snapshot {
  timestamp: number;
  user_id: number | null;
  topic: string;
  prev_topic?: string;
  stream?: number;
  prev_stream?: number;
  rendered_content?: string;
  content_html_diff?: string;
}

export function showHistoryOf(id: number): void {
  showDialog((close) => <HistoryDialog id={id} close={close} />);
}

function HistoryDialog({ id, close }: { id: number; close: () => void }) {
  const history = useSignal<readonly Snapshot[] | null>(null);
  useEffect(() => void load(), []);
  async function load(): Promise<void> {
    const answer = await attempt(() =>
      call<{ message_history: Snapshot[] }>('GET', `/messages/${id}/history`, { allow_empty_topic_name: true }),
    );
    if (answer) history.value = answer.message_history;
    else close();
  }
  return (
    <Dialog title={texts.value.history} messageId={id} close={close} class="history">
      {history.value === null && <p>{texts.value.loading}</p>}
      <ol>
        {history.value?.map((each, at) => (
          <SnapshotEntry key={at} snapshot={each} isFirst={at === 0} />
        ))}
      </ol>
    </Dialog>
  );
}

function SnapshotEntry({ snapshot, isFirst }: { snapshot: Snapshot; isFirst: boolean }) {
  const { timestamp, user_id: userId, content_html_diff: difference, rendered_content: content } = snapshot;
  const t = texts.value;
  const name = userId === null ? '' : personName(userId);
  const date = dateOf(timestamp);
  const shown = isFirst ? content : difference;
  return (
    <li>
      <h3>
        {isFirst ? t.writtenBy(name) : t.changedBy(name)} <time dateTime={date.toISOString()}>{fullTimeOf(date)}</time>
      </h3>
      {snapshot.prev_stream !== undefined && snapshot.stream !== undefined && (
        <p>{t.movedFromTo(`#${channelName(snapshot.prev_stream)}`, `#${channelName(snapshot.stream)}`)}</p>
      )}
      {snapshot.prev_topic !== undefined && snapshot.prev_topic !== snapshot.topic && (
        <p>{t.movedFromTo(snapshot.prev_topic || t.generalChat, snapshot.topic || t.generalChat)}</p>
      )}
      {shown !== undefined && <Content html={shown} />}
    </li>
  );
}
