import { announce } from '@parley/shared/bus';
import { repeatOnConflict } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { submessageAdded } from '@parley/shared/events';
import type { AddSubmessageRequest, AddSubmessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessMessage, audienceOf, holdMessage, withItsOutsiders } from '../messages/access-message';
import { participate } from '../topic-policies/participate';
import { checkWidgetData } from './check-widget-data';
import { insertSubmessage, loadWidgetFacts, type WidgetFacts } from './submessages.sql';
import type { Widget } from './widget';

/** A message is read with all of its submessages. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Does something with the widget that a message is. */
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
    await holdMessage(tx, accessed);
    const submessage = { messageId, senderId: userId, msgType, content };
    const id = await insertSubmessage(tx, realmId, submessage);
    const changes = await participate(tx, accessed, ctx.clock.now());
    const audience = audienceOf(accessed);
    await announce(tx, submessageAdded(realmId, { submessage: { ...submessage, id }, audience }), ...changes);
  });
  return {};
}

/** The first word is the message's sender's. */
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
