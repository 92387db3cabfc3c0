import type { Submessage } from './messages';

/** An option of a poll, with those who chose it. */
export interface PollOption {
  key: string;
  text: string;
  voterIds: readonly number[];
}

export interface Poll {
  kind: 'poll';
  question: string;
  options: readonly PollOption[];
}

export interface Task {
  key: string;
  task: string;
  details: string;
  isDone: boolean;
}

export interface TodoList {
  kind: 'todo';
  title: string;
  tasks: readonly Task[];
}

export type Widget = Poll | TodoList;

interface First {
  widget_type?: string;
  extra_data?: {
    question?: string;
    options?: string[];
    task_list_title?: string;
    tasks?: { task: string; desc: string }[];
  } | null;
}

/** The poll or list that the submessages of a message amount to; null: they are none. */
export function widgetOf(submessages: readonly Submessage[]): Widget | null {
  const [first, ...others] = [...submessages].sort((a, b) => a.id - b.id).filter((each) => each.msg_type === 'widget');
  const data = first && (parsed(first.content) as First | null);
  if (data?.widget_type === 'poll') return pollOf(data, others);
  return data?.widget_type === 'todo' ? todoOf(data, others) : null;
}

function pollOf({ extra_data: extra }: First, others: readonly Submessage[]): Poll {
  let question = extra?.question ?? '';
  const texts = new Map((extra?.options ?? []).map((text, at) => [`canned,${at}`, text]));
  const voters = new Map<string, Set<number>>();
  for (const { sender_id, content } of others) {
    const change = parsed(content) as {
      type?: string;
      question?: string;
      option?: string;
      idx?: number;
      key?: string;
      vote?: number;
    };
    if (change?.type === 'question') question = String(change.question);
    if (change?.type === 'new_option' && ![...texts.values()].includes(String(change.option)))
      texts.set(`${sender_id},${change.idx}`, String(change.option));
    if (change?.type === 'vote') {
      const own = voters.get(String(change.key)) ?? new Set();
      if (change.vote === 1) own.add(sender_id);
      else own.delete(sender_id);
      voters.set(String(change.key), own);
    }
  }
  const options = [...texts].map(([key, text]) => ({ key, text, voterIds: [...(voters.get(key) ?? [])] }));
  return { kind: 'poll', question, options };
}

function todoOf({ extra_data: extra }: First, others: readonly Submessage[]): TodoList {
  let title = extra?.task_list_title ?? '';
  const tasks = new Map<string, Task>();
  const add = (key: string, task: string, details: string, isDone: boolean) => {
    const isKnown = tasks.has(key) || [...tasks.values()].some((other) => other.task === task);
    if (!isKnown) tasks.set(key, { key, task, details, isDone });
  };
  extra?.tasks?.forEach(({ task, desc }, at) => {
    add(`canned,${at}`, task, desc, false);
  });
  for (const { sender_id, content } of others) {
    const change = parsed(content) as {
      type?: string;
      title?: string;
      key?: string | number;
      task?: string;
      desc?: string;
      completed?: boolean;
    };
    if (change?.type === 'new_task_list_title') title = String(change.title);
    if (change?.type === 'new_task')
      add(`${sender_id},${change.key}`, String(change.task), String(change.desc ?? ''), change.completed === true);
    const struck = change?.type === 'strike' ? tasks.get(String(change.key)) : undefined;
    if (struck) tasks.set(struck.key, { ...struck, isDone: !struck.isDone });
  }
  return { kind: 'todo', title, tasks: [...tasks.values()] };
}

/** The next number among those that one has given already. */
export function nextIndex(keys: readonly string[], userId: number): number {
  const own = keys.filter((key) => key.startsWith(`${userId},`)).map((key) => Number(key.split(',')[1]));
  return Math.max(-1, ...own) + 1;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
