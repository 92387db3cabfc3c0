import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getChannelActivity } from './channels/get-channel-activity';
import type { Context } from './context';
import { getMessage } from './messages/get-message';
import { getMessageState } from './messages/get-message-state';
import { getMessages } from './messages/get-messages';
import { sendMessage } from './messages/send-message';

/** Every method of proto/messages.proto and its action. */
export function implementation(ctx: Context): Implementation<'messages'> {
  return {
    sendMessage: byCaller((caller, request) => sendMessage(ctx, caller, request)),
    getMessage: byCaller((caller, request) => getMessage(ctx, caller, request)),
    getMessages: byCaller((caller, request) => getMessages(ctx, caller, request)),
    getMessageState: byCaller((caller) => getMessageState(ctx, caller)),
    getChannelActivity: byCaller((caller, request) => getChannelActivity(ctx, caller, request)),
  };
}
