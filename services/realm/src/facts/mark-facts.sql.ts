import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { type CustomEmoji, messageShape } from '@parley/shared/proto';
import { z } from 'zod';
import { HOLDER_NOW, holderNowOf } from '../api-keys/api-keys.sql';
import { CHANNEL, channelsWhere } from './read-facts.sql';

const CHANNELS = channelsWhere((channelId) => `${channelId} = any($3::bigint[])`, false);

const LOAD_FOR_FLAGS = statement(
  `select u.role, ${CHANNELS} as channels, ${holderNowOf('$1', '$2', '$4::bigint')} as holder,
     array(select m.muted_user_id from muted_user m where m.realm_id = $1 and m.user_id = $2) as "mutedUserIds"
   from user_account u where u.realm_id = $1 and u.id = $2`,
  { role: z.number(), channels: z.array(CHANNEL), holder: HOLDER_NOW.nullable(), mutedUserIds: z.array(z.number()) },
);

interface MarkKeys {
  realmId: number;
  userId: number;
  /** The credential to confirm, by `holder`. */
  apiKeyId: number | null;
  channelIds: readonly number[];
}

/** The facts on which flags depend; null if the organization has no such user. */
export async function loadFlagFacts(
  sql: Sql,
  { realmId, userId, apiKeyId, channelIds }: MarkKeys,
): Promise<RowOf<typeof LOAD_FOR_FLAGS> | null> {
  const [row] = await sql.query(LOAD_FOR_FLAGS, [realmId, userId, channelIds, apiKeyId]);
  return row ?? null;
}

const LOAD_FOR_REACTION = statement(
  `select u.role, ${CHANNELS} as channels, ${holderNowOf('$1', '$2', '$6::bigint')} as holder, u.email, u.full_name as "fullName", u.is_bot as "isBot", (
     select chosen.chosen::text from user_settings chosen where chosen.realm_id = $1 and chosen.user_id = $2
   ) as settings, (
     select coalesce(json_agg(json_build_object('id', e.id, 'realmId', e.realm_id, 'name', e.name, 'fileName', e.file_name,
       'isDeactivated', e.is_deactivated) order by e.id), '[]')
     from custom_emoji e where e.realm_id = $1 and (e.name = $4 or e.id = $5)
   ) as "customEmoji"
   from user_account u where u.realm_id = $1 and u.id = $2`,
  {
    role: z.number(),
    channels: z.array(CHANNEL),
    holder: HOLDER_NOW.nullable(),
    email: z.string(),
    fullName: z.string(),
    isBot: z.boolean(),
    // JSON; null: no explicit settings.
    settings: z.string().nullable(),
    customEmoji: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')),
  },
);

/** The name or the id of a custom emoji; null: none is requested. */
interface EmojiKeys {
  name: string | null;
  id: number | null;
}

/** The facts on which a reaction depends; null if the organization has no such user. */
export async function loadReactionFacts(
  sql: Sql,
  { realmId, userId, apiKeyId, channelIds }: MarkKeys,
  emoji: EmojiKeys,
): Promise<RowOf<typeof LOAD_FOR_REACTION> | null> {
  const [row] = await sql.query(LOAD_FOR_REACTION, [realmId, userId, channelIds, emoji.name, emoji.id, apiKeyId]);
  return row ?? null;
}
