import { pickColor } from './colors';
import type { NewSubscription, SubscriptionRecord } from './subscriptions.sql';

/** A channel that exists by now and may be joined. */
export interface Target {
  channelId: number;
  name: string;
  /** Null: the earlier one of the user, or else a new one. */
  color: string | null;
}

export interface Plan {
  joining: NewSubscription[];
  /** Names of channels by user: newly subscribed, and subscribed before. Users without any are left out. */
  subscribed: Map<number, string[]>;
  alreadySubscribed: Map<number, string[]>;
}

export interface SubscriptionHistory {
  /** Of the users with the channels, active or past. */
  records: readonly SubscriptionRecord[];
  usedColors: readonly { userId: number; colors: readonly string[] }[];
}

/** Who joins what, and in which colour: the one asked for, the earlier one, or the first the user has not used. */
export function planSubscriptions(
  targets: readonly Target[],
  userIds: readonly number[],
  { records, usedColors }: SubscriptionHistory,
): Plan {
  const plan: Plan = { joining: [], subscribed: new Map(), alreadySubscribed: new Map() };
  const recordOf = new Map(records.map((record) => [`${record.channelId} ${record.userId}`, record]));
  const colorsOf = new Map(usedColors.map(({ userId, colors }) => [userId, new Set(colors)]));
  for (const userId of userIds) {
    const used = colorsOf.get(userId) ?? new Set<string>();
    for (const { channelId, name, color: wanted } of targets) {
      const record = recordOf.get(`${channelId} ${userId}`);
      if (record?.isActive) {
        append(plan.alreadySubscribed, userId, name);
        continue;
      }
      const color = wanted ?? record?.color ?? pickColor(used, channelId);
      used.add(color);
      plan.joining.push({ channelId, userId, color });
      append(plan.subscribed, userId, name);
    }
  }
  return plan;
}

function append(names: Map<number, string[]>, userId: number, name: string): void {
  const list = names.get(userId);
  if (list) list.push(name);
  else names.set(userId, [name]);
}
