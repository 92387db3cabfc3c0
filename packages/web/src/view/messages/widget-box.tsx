import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { call } from '../../api/call';
import { personName, read } from '../../store/model';
import { nextIndex, type Poll, type TodoList, type Widget } from '../../store/widgets';
import { texts } from '../../texts/texts';
import { useChosen } from '../base/chosen';
import { attempt } from '../base/notices';

interface WidgetProps<Kind> {
  widget: Kind;
  messageId: number;
  authorId: number;
}

interface BoxProps extends WidgetProps<Widget> {
  /** It can be read only. */
  isDisabled: boolean;
}

/** A poll or a to-do list, in place of the text that made it. */
export function WidgetBox({ widget, isDisabled, ...others }: BoxProps): JSX.Element {
  const box =
    widget.kind === 'poll' ? <PollBox widget={widget} {...others} /> : <TodoBox widget={widget} {...others} />;
  return (
    <fieldset class="widget-frame" disabled={isDisabled}>
      {box}
    </fieldset>
  );
}

/** Resolves to false after saying why it did not work. */
async function send(message_id: number, data: Record<string, unknown>): Promise<boolean> {
  const content = JSON.stringify(data);
  return (await attempt(() => call('POST', '/submessage', { message_id, msg_type: 'widget', content }))) !== undefined;
}

/** Numbers for what the person adds. Its event may come after more was added: what has the same number takes its place. */
function useNextIndex(keys: readonly string[]): () => number {
  const { user_id: own } = read('people');
  const given = useRef(-1);
  return () => {
    given.current = Math.max(given.current + 1, nextIndex(keys, own));
    return given.current;
  };
}

function PollBox({ widget: { question, options }, messageId, authorId }: WidgetProps<Poll>) {
  const { user_id: own } = read('people');
  const t = texts.value;
  const next = useNextIndex(options.map(({ key }) => key));
  const add = (option: string) => send(messageId, { type: 'new_option', option, idx: next() });
  const ask = (text: string) => send(messageId, { type: 'question', question: text });
  return (
    <section class="widget poll" aria-label={question || t.poll}>
      <Heading text={question || t.poll} label={t.pollQuestion} change={own === authorId ? ask : undefined} />
      <ul>
        {options.map((option) => (
          <PollChoice key={option.key} option={option} messageId={messageId} />
        ))}
      </ul>
      <AddForm label={t.addOption} add={add} />
    </section>
  );
}

function PollChoice({
  option: { key, text, voterIds },
  messageId,
}: {
  option: Poll['options'][number];
  messageId: number;
}) {
  const { user_id: own } = read('people');
  const isOwn = voterIds.includes(own);
  const vote = (isChosen: boolean) => send(messageId, { type: 'vote', key, vote: isChosen ? 1 : -1 });
  const { shown, choose } = useChosen(isOwn, vote);
  const count = voterIds.length + Number(shown) - Number(isOwn);
  const names = voterIds.map(personName).join(', ');
  return (
    <li>
      <button
        type="button"
        class="vote"
        aria-pressed={shown}
        aria-label={texts.value.voteFor(text, count)}
        onClick={() => void choose(!shown)}
      >
        {count}
      </button>
      <span>{text}</span>
      {names !== '' && <small>{names}</small>}
    </li>
  );
}

function TodoBox({ widget: { title, tasks }, messageId, authorId }: WidgetProps<TodoList>) {
  const { user_id: own } = read('people');
  const t = texts.value;
  const next = useNextIndex(tasks.map(({ key }) => key));
  const add = (task: string) => send(messageId, { type: 'new_task', key: next(), task, desc: '', completed: false });
  const rename = (text: string) => send(messageId, { type: 'new_task_list_title', title: text });
  return (
    <section class="widget todo" aria-label={title || t.todo}>
      <Heading text={title || t.todo} label={t.todoTitle} change={own === authorId ? rename : undefined} />
      <ul>
        {tasks.map((each) => (
          <TaskItem key={each.key} task={each} messageId={messageId} />
        ))}
      </ul>
      <AddForm label={t.addTask} add={add} />
    </section>
  );
}

function TaskItem({ task: { key, task, details, isDone }, messageId }: { task: Task; messageId: number }) {
  const { shown, choose } = useChosen(isDone, () => send(messageId, { type: 'strike', key }));
  return (
    <li>
      <label>
        <input type="checkbox" checked={shown} onChange={({ currentTarget }) => void choose(currentTarget.checked)} />
        <span class={shown ? 'done' : ''}>{task}</span>
        {details !== '' && <small>{details}</small>}
      </label>
    </li>
  );
}

type Task = TodoList['tasks'][number];

interface HeadingProps {
  text: string;
  label: string;
  /** Only its author may. */
  change: AddProps['add'] | undefined;
}

function Heading({ text, label, change }: HeadingProps) {
  const isChanged = useSignal(false);
  if (!change || !isChanged.value) {
    return (
      <p class="widget-title">
        {text}
        {change && (
          <button type="button" onClick={() => (isChanged.value = true)}>
            {texts.value.change}
          </button>
        )}
      </p>
    );
  }
  const add = async (next: string) => {
    const isDone = await change(next);
    isChanged.value = !isDone;
    return isDone;
  };
  return <AddForm label={label} first={text} add={add} />;
}

interface AddProps {
  label: string;
  first?: string;
  /** Resolves to false if it did not work. */
  add: (text: string) => Promise<boolean>;
}

function AddForm({ label, first = '', add }: AddProps) {
  const text = useSignal(first);
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = text.value.trim();
    if (given === '') return;
    text.value = '';
    if (!(await add(given)) && text.value === '') text.value = given;
  };
  return (
    <form onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={label}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
      />
      <button type="submit">{texts.value.add}</button>
    </form>
  );
}
