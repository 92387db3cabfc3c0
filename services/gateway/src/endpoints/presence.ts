import { BadRequestError } from '@parley/shared/errors';
import type { Presence, UserRef } from '@parley/shared/proto';
import { PRESENCE } from '@parley/shared/values';
import { publicLegacyPresence } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { boundedText, json, pathText, text } from '../http/parameters';
import { legacyPresencesSchema } from '../wire/presence';
import { askPresences, type PresenceView, presenceFields } from './presence-list';

export const getRealmPresence = endpoint({
  method: 'GET',
  path: '/realm/presence',
  summary: 'Get when everybody in the organization was there',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ server_timestamp: z.number(), presences: legacyPresencesSchema }),
  errors: [],
  async handler(ctx, { call }) {
    const { request, show } = askPresences(ctx, call, { isSlim: false });
    const { server_timestamp, presences } = await show(await ctx.services.realm.listPresences(call, request));
    return { server_timestamp, presences };
  },
});

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

/** The aggregated status ends when the user was not active for this time. */
function shownPresence(presence: Presence, nowMs: number) {
  const { status, timestamp } = publicLegacyPresence(presence);
  const isOffline = nowMs / 1000 - timestamp > PRESENCE.offlineThresholdSecs;
  return {
    aggregated: { status: isOffline ? ('offline' as const) : status, timestamp },
    website: { status, timestamp },
  };
}

const MAX_STATUS_LENGTH = 20;

const updateParameters = {
  status: text(boundedText(MAX_STATUS_LENGTH).describe('`active` or `idle`.')),
  ping_only: json(z.boolean().default(false).describe('Nothing is answered.')),
  new_user_input: json(
    z.boolean().default(false).describe('What clients tell of themselves beside; it changes nothing.'),
  ),
  slim_presence: json(z.boolean().default(false).describe('Deprecated: presences are answered by id.')),
  last_update_id: json(z.int().optional().describe('Only what has changed since is answered; -1: everything.')),
  history_limit_days: json(z.int().nonnegative().optional().describe('0: nobody is answered.')),
};

export const updatePresence = endpoint({
  method: 'POST',
  path: '/users/me/presence',
  summary: 'Tell that the caller is there, and get when others were',
  auth: 'user',
  isUncounted: true,
  parameters: updateParameters,
  result: z.strictObject(presenceFields).partial(),
  errors: [],
  async handler(ctx, { call }, values) {
    const isActive = isActiveBy(values.status);
    const { realm } = ctx.services;
    if (values.ping_only) {
      await realm.reportPresence(call, { isActive, list: null });
      return {};
    }
    const { request, show } = askPresences(ctx, call, viewOf(values));
    return show(await realm.reportPresence(call, { isActive, list: request }));
  },
});

function isActiveBy(status: string): boolean {
  if (status !== 'active' && status !== 'idle') throw new BadRequestError(`Invalid status: ${status}`);
  return status === 'active';
}

function viewOf(values: Values<typeof updateParameters>): PresenceView {
  const { slim_presence: isAskedFor, last_update_id: lastUpdateId, history_limit_days: historyLimitDays } = values;
  return { isSlim: isAskedFor || lastUpdateId !== undefined, lastUpdateId, historyLimitDays };
}
