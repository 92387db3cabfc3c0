import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { WebsiteCard } from '../generated/prisma/client';
import type { MessageRow } from '../messages/message.sql';
import type { Mentioned } from '../messages/present-messages';

/** A cached page; it has a card if it has a picture. */
export type KnownPage = Pick<WebsiteCard, 'url' | 'imageUrl' | 'title' | 'description'>;

/** Whenever a page is stored, this number of expired rows is deleted: more than one, so that none remain. */
const FORGOTTEN_AT_ONCE = 10;

const STORE_PAGE = statement(`with old as (
    select realm_id, url from website_card
    where expires_at <= to_timestamp($6 / 1000.0) and (realm_id, url) <> ($1, $2)
    order by expires_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
  ), forgotten as (
    delete from website_card w using old where w.realm_id = old.realm_id and w.url = old.url
  )
  insert into website_card (realm_id, url, image_url, title, description, expires_at)
  values ($1, $2, $3, $4, $5, to_timestamp($7 / 1000.0))
  on conflict (realm_id, url) do update set image_url = excluded.image_url, title = excluded.title,
    description = excluded.description, expires_at = excluded.expires_at`);

export async function storePage(
  sql: Sql,
  realmId: number,
  { url, imageUrl, title, description }: KnownPage,
  { nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number },
): Promise<void> {
  await sql.query(STORE_PAGE, [realmId, url, imageUrl, title, description, nowMs, expiresAtMs]);
}

const REPLACE_RENDERING = statement(
  `update message m set rendered_content = $5
   where m.realm_id = $1 and m.id = $2 and m.content = $3 and m.rendered_content = $4
     and m.conversation_id = $6 and m.channel_id is not distinct from $7
   returning m.topic_participant_ids as "topicParticipantIds",
     array(select n.user_id from mention n where n.realm_id = m.realm_id and n.message_id = m.id) as "mentionedIds"`,
  { mentionedIds: z.array(z.number()), topicParticipantIds: z.array(z.number()) },
);

/** Null if the message was changed, moved or deleted meanwhile: then it keeps its content. */
export async function replaceRendering(
  sql: Sql,
  realmId: number,
  { id, content, renderedContent, conversationId, channelId }: MessageRow,
  newRenderedContent: string,
): Promise<Mentioned | null> {
  const [row] = await sql.query(REPLACE_RENDERING, [
    realmId,
    id,
    content,
    renderedContent,
    newRenderedContent,
    conversationId,
    channelId,
  ]);
  return row ?? null;
}
