import type { InviteFacts, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';

/** What decides on invitations that there are; refuses guests and bots. */
export async function loadFacts({ services }: Context, caller: Caller): Promise<InviteFacts & { actor: User }> {
  const facts = await services.realm.getInviteFacts(caller, { channelIds: [], groupIds: [], emails: [] });
  return { ...facts, actor: facts.actor as User };
}
