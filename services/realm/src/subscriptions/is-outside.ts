import type { Audience } from '@parley/shared/events';

/** Whether users who are not subscribed to a channel are none of those who may know of it. */
export function isOutside(audience: Audience): (userId: number) => boolean {
  if (audience.to === 'realm') {
    const exceptIds = new Set(audience.exceptIds);
    return (userId) => exceptIds.has(userId);
  }
  const insideIds = new Set(audience.to === 'users' ? audience.userIds : audience.alsoIds);
  return (userId) => !insideIds.has(userId);
}
