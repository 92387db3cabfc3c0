import type { Organization, ReadFacts } from '@parley/shared/proto';
import type { Context } from '../context';
import { findRealm } from '../realms/realms.sql';
import { listWebPublicChannels } from './web-public-channels.sql';

/** What somebody may read who is not signed in: web-public channels, with their history. */
export async function visitorReadFacts(ctx: Pick<Context, 'db'>, realmId: number): Promise<ReadFacts> {
  const [realm, channels] = await Promise.all([
    findRealm(ctx.db, realmId) as Promise<Organization>,
    listWebPublicChannels(ctx.db, realmId),
  ]);
  return {
    realm,
    reader: null,
    channels: channels.map((channel) => ({
      ...channel,
      mayReadHistory: true,
      hasContentAccess: true,
      isSubscribed: false,
      isMuted: false,
      isPublic: true,
      isWebPublic: true,
      isHidden: false,
      intervals: [],
    })),
    mutedUserIds: [],
    alertWords: [],
    receiptCandidates: [],
    readerSettings: '{}',
  };
}
