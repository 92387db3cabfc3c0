/** What a message can be beside its text. */
export type WidgetType = 'poll' | 'todo' | 'zform';

/** What the first submessage of a message says. */
export interface Widget {
  widget_type: WidgetType;
  extra_data: unknown;
}

/** The widget that a message asks for with its first word; null: it is just a message. */
export function widgetOf(content: string): Widget | null {
  const [, command, rest = ''] = /^\/(poll|todo)(?=\s|$)(.*)$/s.exec(content) ?? [];
  if (command === undefined) return null;
  const [title = '', ...lines] = rest.split('\n').map((line) => line.trim());
  const items = lines.map((line) => line.replace(/^[*-]\s*/, '')).filter((line) => line !== '');
  if (command === 'poll') return { widget_type: 'poll', extra_data: { question: title, options: items } };
  return { widget_type: 'todo', extra_data: { task_list_title: title, tasks: items.map(toTask) } };
}

function toTask(line: string): { task: string; desc: string } {
  const [task = '', ...rest] = line.split(': ');
  return { task: task.trim(), desc: rest.join(': ').trim() };
}
