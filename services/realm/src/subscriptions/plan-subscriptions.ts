import type { InheritedNotifications } from '@parley/shared/wire';
import { pickColor } from './colors';
import type { Pair, Properties, SubscriptionRecord } from './subscriptions.sql';

/** A subscription that begins, with what the user has set for the channel in earlier times. */
export interface Beginning extends Pair {
  properties: Properties;
  /** What the user's account has set where the properties say nothing. */
  inherited?: InheritedNotifications;
}

export interface Plan {
  joining: Beginning[];
  alreadySubscribed: Pair[];
}

export interface SubscriptionHistory {
  /** Of the users with the channels, active or past. */
  records: readonly SubscriptionRecord[];
  usedColors: readonly { userId: number; colors: readonly string[] }[];
}

/** A channel, and the colour asked for; null: the earlier one of the user, or else a new one. */
export interface Target {
  channelId: number;
  color: string | null;
}

/** Of more users than that who join together, new colours are alike: each is told of all of them in one event, not in one of their own. */
const MAX_USERS_WITH_OWN_COLORS = 10;

/** Who joins what, and in which colour: the one asked for, the earlier one, or the first the user has not used. */
export function planSubscriptions(
  targets: readonly Target[],
  userIds: readonly number[],
  { records, usedColors }: SubscriptionHistory,
): Plan {
  const plan: Plan = { joining: [], alreadySubscribed: [] };
  const recordOf = new Map(records.map((record) => [`${record.channelId} ${record.userId}`, record]));
  const colorsOf = new Map(usedColors.map(({ userId, colors }) => [userId, new Set(colors)]));
  const isCrowd = userIds.length > MAX_USERS_WITH_OWN_COLORS;
  const common = isCrowd ? commonColors(targets) : undefined;
  for (const userId of userIds) {
    const used = colorsOf.get(userId) ?? new Set<string>();
    for (const { channelId, color: wanted } of targets) {
      const record = recordOf.get(`${channelId} ${userId}`);
      if (record?.isActive) {
        plan.alreadySubscribed.push({ channelId, userId });
        continue;
      }
      const color = wanted ?? record?.properties.color ?? common?.get(channelId) ?? pickColor(used, channelId);
      used.add(color);
      const properties = { isMuted: false, isPinned: false, ...record?.properties, color };
      plan.joining.push({ channelId, userId, properties });
    }
  }
  return plan;
}

function commonColors(targets: readonly Target[]): Map<number, string> {
  const used = new Set<string>();
  return new Map(
    targets.map(({ channelId, color: wanted }) => {
      const color = wanted ?? pickColor(used, channelId);
      used.add(color);
      return [channelId, color];
    }),
  );
}
