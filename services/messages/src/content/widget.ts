import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';

/** The kinds of widgets. */
export type WidgetType = 'poll' | 'todo' | 'zform';

/** The content of a message's first submessage. */
export interface Widget {
  widget_type: WidgetType;
  extra_data: unknown;
}

/** The widget requested by the message's first word; null: none. */
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

const text = z.string().max(1_000);

const choice = z.strictObject({ type: z.literal('multiple_choice'), short_name: text, long_name: text, reply: text });

/** Buttons under a message, each with the reply that a press sends. */
const zform = z.strictObject({
  widget_type: z.literal('zform'),
  extra_data: z.strictObject({
    type: z.literal('choices'),
    heading: text,
    choices: z.array(choice.partial({ type: true })).max(100),
  }),
});

/** The widget that a client sends with a message, as JSON. Throws BadRequestError if it is invalid. */
export function checkWidgetContent(json: string): Widget {
  const checked = zform.safeParse(parse(json));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new BadRequestError(`Widgets: ${[...(issue?.path ?? []), issue?.message].join(' ')}`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRequestError('Widgets: API programmer sent invalid JSON content');
  }
}
