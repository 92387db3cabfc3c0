import { composed, type RowOf, type Sql } from '@parley/shared/db';
import { messageShape, type OutgoingWebhook } from '@parley/shared/proto';
import { BOT_TYPES } from '@parley/shared/values';
import { z } from 'zod';
import { USER, USER_JSON } from '../accounts/users.sql';

/** The users a message calls: named ones always, members of mentioned groups only if subscribed. */
interface CalledUsers {
  namedIds: readonly number[];
  groupMemberIds: readonly number[];
  /** Absent: not in a channel. */
  channelId?: number | undefined;
}

// Not prepared: the number of named users decides the plan.
const FIND = composed(
  `select ${USER_JSON} as bot,
     json_build_object('payloadUrl', s.payload_url, 'interface', s.interface, 'token', s.token) as webhook,
     coalesce(owner.is_active, false) as "isOwnerActive"
   from user_account u
   join realm r on r.id = u.realm_id and not r.is_deactivated
   join bot_service s on s.realm_id = u.realm_id and s.user_id = u.id
   left join user_account owner on owner.realm_id = u.realm_id and owner.id = u.bot_owner_id
   where u.realm_id = $1 and u.is_active and u.bot_type = ${BOT_TYPES.outgoingWebhook}
     and (u.id = any($2::bigint[]) or u.id = any($3::bigint[]) and exists (
       select from subscription_interval i
       where i.realm_id = u.realm_id and i.channel_id = $4 and i.user_id = u.id and i.to_version is null))
   order by u.id`,
  { bot: USER, webhook: messageShape<OutgoingWebhook>('realm', 'OutgoingWebhook'), isOwnerActive: z.boolean() },
);

export type WebhookBotRow = RowOf<typeof FIND>;

/** The active outgoing webhook bots among the users, by id. */
export function findWebhookBots(
  sql: Sql,
  realmId: number,
  { namedIds, groupMemberIds, channelId }: CalledUsers,
): Promise<WebhookBotRow[]> {
  return sql.query(FIND, [realmId, namedIds, groupMemberIds, channelId ?? null]);
}
