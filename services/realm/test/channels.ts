import type { Audience } from '@parley/shared/events';
import type { CreateChannelRequest, NewChannelSettings, UpdateChannelRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { RealmSettings } from '@parley/shared/values';
import { updateChannel } from '../src/channels/update-channel';
import type { Context } from '../src/context';
import { createChannel } from '../src/joining/create-channel';
import { storeRealmSettings } from '../src/organization/realms.sql';

type Wanted = Partial<Omit<CreateChannelRequest, 'settings'>> & { settings?: Partial<NewChannelSettings> };

/** Creates a channel, public and without subscribers by default; returns its id. */
export async function newChannel(ctx: Context, caller: Caller, name: string, wanted: Wanted = {}): Promise<number> {
  const settings: NewChannelSettings = {
    isPrivate: false,
    isWebPublic: false,
    isDefault: false,
    topicsPolicy: '',
    groupSettings: {},
    isAnnounced: false,
    ...wanted.settings,
  };
  const request = { description: '', subscriberIds: [], ...wanted, name, settings };
  return (await createChannel(ctx, caller, request)).channelId;
}

/** Changes a channel with the endpoint's defaults. */
export async function change(
  ctx: Context,
  caller: Caller,
  channelId: number,
  request: Partial<UpdateChannelRequest>,
): Promise<void> {
  await updateChannel(ctx, caller, { channelId, groupSettings: {}, hasNamedTopics: false, ...request });
}

export async function setRealm(ctx: Context, { realmId }: Caller, settings: Partial<RealmSettings>): Promise<void> {
  await storeRealmSettings(ctx.db, realmId, settings);
}

/** The people in an audience; `subscribers` are those of its channel. */
export function reached(
  audience: Audience,
  people: Readonly<Record<string, Caller>>,
  subscribers: readonly Caller[] = [],
): string[] {
  const isReached = ({ userId }: Caller) => {
    if (audience.to === 'users') return audience.userIds.includes(userId);
    if (audience.exceptIds?.includes(userId)) return false;
    if (audience.to === 'realm') return true;
    return audience.alsoIds?.includes(userId) || subscribers.some((subscriber) => subscriber.userId === userId);
  };
  return Object.entries(people)
    .filter(([, person]) => isReached(person))
    .map(([name]) => name);
}
