import { subscribe, updateSubscriptionProperty, updateUserSettings, updateUserTopic } from '@parley/gateway/endpoints';
import type { TestNetwork } from '../../src';

const FOLLOWED = 3;

/** What Eve wants to be told of. */
export interface Wish {
  /** Of her account. */
  settings?: Record<string, boolean>;
  /** Of her subscription. */
  property?: [string, boolean];
  /** She follows the topic `lunch`. */
  isFollowed?: boolean;
}

/** A message with this mentions everybody. */
export const WILDCARD = '@**all**';
export const PLAIN = 'Hello';

/** Makes a channel of that name with Dan and Eve, in which Eve has the wish; `defaults` are her other settings. Returns its id. */
export async function makeWish(
  { dan, eve, database }: TestNetwork,
  name: string,
  { settings = {}, property, isFollowed = false }: Wish,
  defaults: Record<string, boolean>,
): Promise<number> {
  await dan.call(subscribe, { subscriptions: [{ name }], principals: [dan.userId, eve.userId] });
  const [{ id: stream_id } = { id: 0 }] = await database('realm').query<{ id: number }>(
    'select id from channel where name = $1',
    [name],
  );
  await eve.call(updateUserSettings, { ...defaults, ...settings });
  if (property) await eve.call(updateSubscriptionProperty, { stream_id, property: property[0], value: property[1] });
  if (isFollowed) await eve.call(updateUserTopic, { stream_id, topic: 'lunch', visibility_policy: FOLLOWED });
  return stream_id;
}
