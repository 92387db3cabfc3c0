import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import { foreignChannelsOf } from '../access/foreign-channels.sql';
import { RECENT_DIRECTS, recentDirectsOf } from '../conversations/conversation.sql';
import { TOPIC_POLICIES, topicPoliciesOf } from '../conversations/topic-policies.sql';
import { DRAFTS, draftsOf } from '../drafts/draft.sql';
import { DRAFT_LIMITS } from '../drafts/drafts';
import { PARTICIPANT_IDS } from '../messages/message.sql';
import { hasStars, shownStarsOf } from '../read-state/personal-flags.sql';
import { SAVED_SNIPPETS, savedSnippetsOf } from '../saved-snippets/saved-snippet.sql';
import { ORGANIZATION, ownQuota, QUOTA } from '../uploads/upload-quota.sql';
import { NEWEST } from './newest-received.sql';

export const MAX_STARRED = 10_000;

/** SQL: the newest messages of the organization `$1`, whoever may read them. */
const NEWEST_MESSAGES = `(
       select coalesce(json_agg(json_build_object('id', m.id, 'channelId', m.channel_id, 'sentChannelId', m.sent_channel_id,
         'sentVersion', m.sent_version, 'movedVersion', m.moved_version, 'participantIds', ${PARTICIPANT_IDS}) order by m.id desc), '[]')
       from (select realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, moved_version
         from message where realm_id = $1 order by id desc limit ${NEWEST}) m)`;

const LOAD = statement(
  `select case when $3 then ${topicPoliciesOf('$1', '$2')} else '[]' end as "topicPolicies",
     case when $4 then array(${foreignChannelsOf('$1', '$2')}) else '{}' end as "foreignChannelIds",
     case when $5 then ${shownStarsOf('$1', '$2', `${MAX_STARRED}`)} else '{}' end as "starredIds",
     $5 and ${hasStars('$1', '$2')} as "hasStars",
     case when $6 then ${recentDirectsOf('$1', '$2')} else '[]' end as "recentDirects",
     case when $7 then ${draftsOf('$1', '$2', `${DRAFT_LIMITS.inRegister}`)} else '[]' end as drafts,
     case when $8 then ${savedSnippetsOf('$1', '$2')} else '[]' end as "savedSnippets",
     case when $9 then ${ownQuota('$1', ORGANIZATION)} end as "uploadQuota",
     case when $10 then ${NEWEST_MESSAGES} else '[]' end as newest`,
  {
    topicPolicies: TOPIC_POLICIES,
    foreignChannelIds: z.array(z.number()),
    starredIds: z.array(z.number()),
    /** Shown or not. */
    hasStars: z.boolean(),
    recentDirects: RECENT_DIRECTS,
    drafts: DRAFTS,
    savedSnippets: SAVED_SNIPPETS,
    /** The organization's; null: the deployment's. */
    uploadQuota: QUOTA,
    /** The organization's newest messages, whoever may read them; the newest one first. */
    newest: z.array(
      z.strictObject({
        id: z.number(),
        channelId: z.number().nullable(),
        sentChannelId: z.number().nullable(),
        sentVersion: z.number().nullable(),
        movedVersion: z.number().nullable(),
        participantIds: z.array(z.number()).nullable(),
      }),
    ),
  },
);

export type OwnRows = RowOf<typeof LOAD>;

export interface WantedRows {
  topicPolicies: boolean;
  foreignChannels: boolean;
  stars: boolean;
  recentDirects: boolean;
  drafts: boolean;
  savedSnippets: boolean;
  uploadQuota: boolean;
  newest: boolean;
}

/** The caller's rows that need no knowledge of realm, in one statement: most people have few of them. Others than the wanted are empty. */
export async function loadOwnRows(sql: Sql, { realmId, userId }: Caller, wanted: WantedRows): Promise<OwnRows> {
  const { topicPolicies, foreignChannels, stars, recentDirects, drafts, savedSnippets, uploadQuota, newest } = wanted;
  const flags = [topicPolicies, foreignChannels, stars, recentDirects, drafts, savedSnippets, uploadQuota, newest];
  return onlyRow(await sql.query(LOAD, [realmId, userId, ...flags]));
}
