import { type Consumption, consume } from '@parley/shared/bus';
import {
  actPerformed,
  channelBeginningChanged,
  channelWoken,
  directConversationBegun,
  invitationsChanged,
} from '@parley/shared/events';
import { recordActs, recordInvitationActs } from './audit/record-acts';
import { tellFirstMessages } from './channel-access/channel-audience';
import type { Context } from './context';
import { wakeChannels } from './facts/quiet-channels';
import { recordDirectContacts } from './personal/direct-contacts';

/** Subscribes each domain event to its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const consumptions: Consumption[] = [
    consume({
      bus,
      db,
      log,
      service: 'realm',
      event: directConversationBegun,
      handle: (events) => recordDirectContacts(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'realm',
      event: channelWoken,
      handle: (events) => wakeChannels(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'realm',
      event: channelBeginningChanged,
      handle: (events) => tellFirstMessages(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'realm',
      event: invitationsChanged,
      handle: (events) => recordInvitationActs(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'realm',
      event: actPerformed,
      handle: (events) => recordActs(ctx, events),
    }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}
