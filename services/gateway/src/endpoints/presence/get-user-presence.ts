import type { Presence, UserRef } from '@parley/shared/proto';
import { PRESENCE } from '@parley/shared/values';
import { publicLegacyPresence } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

const ID = /^\d{1,15}$/;

const seen = <Status extends string>(...statuses: [Status, ...Status[]]) =>
  z.strictObject({ status: z.enum(statuses), timestamp: z.int() });

export const getUserPresence = endpoint({
  method: 'GET',
  path: '/users/{user_id_or_email}/presence',
  summary: 'Get when a person was there',
  auth: 'user',
  parameters: { user_id_or_email: pathText() },
  result: z.strictObject({
    presence: z.strictObject({ aggregated: seen('active', 'idle', 'offline'), website: seen('active', 'idle') }),
  }),
  errors: [],
  async handler({ services, clock }, { call }, { user_id_or_email: named }) {
    const user: UserRef = ID.test(named) ? { id: Number(named) } : { email: named };
    return { presence: shownPresence(await services.realm.getPresence(call, { user }), clock.now()) };
  },
});

/** What is said of all that somebody uses comes to an end when nothing was heard for a while. */
function shownPresence(presence: Presence, nowMs: number) {
  const { status, timestamp } = publicLegacyPresence(presence);
  const isOffline = nowMs / 1000 - timestamp > PRESENCE.offlineThresholdSecs;
  return {
    aggregated: { status: isOffline ? ('offline' as const) : status, timestamp },
    website: { status, timestamp },
  };
}
