import { type Consumption, consume } from '@parley/shared/bus';
import {
  actPerformed,
  channelBeginningChanged,
  channelWoken,
  directConversationBegun,
  invitationsChanged,
} from '@parley/shared/events';
import { recordActs, recordInvitationActs } from './audit/record-acts';
import { announceFirstMessages } from './channel-access/channel-audience';
import type { Context } from './context';
import { wakeChannels } from './facts/quiet-channels';
import { recordDirectContacts } from './personal/direct-contacts';

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const consumer = { bus, db, log, service: 'realm' } as const;
  const consumptions: Consumption[] = [
    consume({ ...consumer, event: directConversationBegun, handle: (events) => recordDirectContacts(ctx, events) }),
    consume({ ...consumer, event: channelWoken, handle: (events) => wakeChannels(ctx, events) }),
    consume({ ...consumer, event: channelBeginningChanged, handle: (events) => announceFirstMessages(ctx, events) }),
    consume({ ...consumer, event: invitationsChanged, handle: (events) => recordInvitationActs(ctx, events) }),
    consume({ ...consumer, event: actPerformed, handle: (events) => recordActs(ctx, events) }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}
