import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';

const MAX_INDEX = 1_000;
const text = z.string();
const index = z.int().min(0).max(MAX_INDEX);

const POLL_DATA: Record<string, z.ZodObject> = {
  vote: z.strictObject({
    type: text,
    // Who proposed the option, and which of theirs it is.
    key: z.string().regex(/^(canned|\d{1,15}),\d{1,4}$/),
    vote: z.union([z.literal(1), z.literal(-1)]),
  }),
  question: z.strictObject({ type: text, question: text }),
  new_option: z.strictObject({ type: text, option: text, idx: index }),
};

const TODO_DATA: Record<string, z.ZodObject> = {
  new_task: z.strictObject({ type: text, key: index, task: text, desc: text, completed: z.boolean() }),
  strike: z.strictObject({
    type: text,
    // Who wrote the task, and which of theirs it is.
    key: z.string().regex(/^(canned|\d{1,15}),\d{1,4}$/),
  }),
  new_task_list_title: z.strictObject({ type: text, title: text }),
};

/** Throws unless that may be done with a poll or a list of tasks. Other widgets take anything. */
export function checkWidgetData(widgetType: string | undefined, data: unknown, isAuthor: boolean): void {
  if (widgetType === 'poll') {
    const type = checkShape('poll', POLL_DATA, data);
    if (type === 'question' && !isAuthor)
      throw new BadRequestError("You can't edit a question unless you are the author.");
  }
  if (widgetType === 'todo') {
    const type = checkShape('todo', TODO_DATA, data);
    if (type === 'new_task_list_title' && !isAuthor) {
      throw new BadRequestError("You can't edit the task list title unless you are the author.");
    }
  }
}

function checkShape(name: string, shapes: Record<string, z.ZodObject>, data: unknown): string {
  const { success, data: typed } = z.object({ type: text }).safeParse(data);
  if (!success) throw new BadRequestError(`Invalid ${name} data`);
  const shape = Object.hasOwn(shapes, typed.type) ? shapes[typed.type] : undefined;
  if (!shape) throw new BadRequestError(`Unknown type for ${name} data: ${typed.type}`);
  const { error } = shape.safeParse(data);
  if (error)
    throw new BadRequestError(`Invalid ${name} data: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`);
  return typed.type;
}
