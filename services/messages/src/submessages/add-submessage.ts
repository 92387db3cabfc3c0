import { announce } from '@parley/shared/bus';
import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { submessageAdded } from '@parley/shared/events';
import type { AddSubmessageRequest, AddSubmessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { z } from 'zod';
import type { Widget } from '../content/widget';
import type { Context } from '../context';
import { accessMessage, audienceOf, lockAccessedMessage, withItsOutsiders } from '../messages/access-message';
import { participate } from '../topic-policies/change-topic-policy';
import { insertSubmessage, loadWidgetFacts, type WidgetFacts } from './submessages.sql';

/** Maximum size of a message's submessages: it is read with all of them. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Adds a submessage to a widget. */
export function addSubmessage(
  ctx: Context,
  caller: Caller,
  request: AddSubmessageRequest,
): Promise<AddSubmessageResponse> {
  return repeatOnConflict(caller.realmId, () => tryToAdd(ctx, caller, request));
}

async function tryToAdd(ctx: Context, caller: Caller, request: AddSubmessageRequest): Promise<AddSubmessageResponse> {
  const { messageId, msgType, content } = request;
  const { realmId, userId } = caller;
  const accessed = await withItsOutsiders(ctx, await accessMessage(ctx, caller, messageId));
  const { message } = accessed;
  const widget = await loadWidgetFacts(ctx.db, realmId, messageId, message.senderId);
  checkSubmessage(request, widget, message.senderId === userId);
  await ctx.db.transaction(async (tx) => {
    await lockAccessedMessage(tx, accessed);
    const submessage = { messageId, senderId: userId, msgType, content };
    const id = await insertSubmessage(tx, realmId, submessage);
    const changes = await participate(tx, accessed, ctx.clock.now());
    const audience = audienceOf(accessed);
    await announce(tx, submessageAdded(realmId, { submessage: { ...submessage, id }, audience }), ...changes);
  });
  return {};
}

/** Only the message's sender adds the first submessage. */
function checkSubmessage({ content }: AddSubmessageRequest, widget: WidgetFacts, isAuthor: boolean): void {
  if (!isAuthor && !widget.hasSendersOwn) {
    throw new BadRequestError('You cannot attach a submessage to this message.');
  }
  if (widget.bytes > MAX_BYTES) throw new BadRequestError('There are too many submessages of this message.');
  const data = parse(content);
  const type = widget.firstContent === null ? undefined : (parse(widget.firstContent) as Partial<Widget>)?.widget_type;
  checkWidgetData(type, data, isAuthor);
}

function parse(json: string): unknown {
  if (json.includes('\0')) throw new BadRequestError('Invalid json for submessage');
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRequestError('Invalid json for submessage');
  }
}

const MAX_INDEX = 1_000;
const text = z.string();
const index = z.int().min(0).max(MAX_INDEX);

const POLL_DATA: Record<string, z.ZodObject> = {
  vote: z.strictObject({
    type: text,
    // The option's author and its number among that author's options.
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
    // The task's author and its number among that author's tasks.
    key: z.string().regex(/^(canned|\d{1,15}),\d{1,4}$/),
  }),
  new_task_list_title: z.strictObject({ type: text, title: text }),
};

/** Throws unless this is allowed on a poll or a to-do list. Other widgets accept anything. */
function checkWidgetData(widgetType: string | undefined, data: unknown, isAuthor: boolean): void {
  if (widgetType === 'poll') {
    const type = checkShape('poll', POLL_DATA, data);
    if (type === 'question' && !isAuthor) throw new BadRequestError(REFUSAL.messages.notYourQuestion);
  }
  if (widgetType === 'todo') {
    const type = checkShape('todo', TODO_DATA, data);
    if (type === 'new_task_list_title' && !isAuthor) {
      throw new BadRequestError(REFUSAL.messages.notYourList);
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
