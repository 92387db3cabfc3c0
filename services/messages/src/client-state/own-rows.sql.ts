import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import { foreignChannelsOf } from '../access/foreign-channels.sql';
import { RECENT_DIRECTS, recentDirectsOf } from '../conversations/conversation.sql';
import { TOPIC_POLICIES, topicPoliciesOf } from '../conversations/topic-policies.sql';
import { DRAFTS, draftsOf } from '../drafts/draft.sql';
import { DRAFT_LIMITS } from '../drafts/drafts';
import { hasStars, shownStarsOf } from '../read-state/personal-flags.sql';
import { SAVED_SNIPPETS, savedSnippetsOf } from '../saved-snippets/saved-snippet.sql';
import { ORGANIZATION, ownQuota, QUOTA } from '../uploads/upload-quota.sql';

export const MAX_STARRED = 10_000;

const LOAD = statement(
  `select case when $3 then ${topicPoliciesOf('$1', '$2')} else '[]' end as "topicPolicies",
     case when $4 then array(${foreignChannelsOf('$1', '$2')}) else '{}' end as "foreignChannelIds",
     case when $5 then ${shownStarsOf('$1', '$2', `${MAX_STARRED}`)} else '{}' end as "starredIds",
     $5 and ${hasStars('$1', '$2')} as "hasStars",
     case when $6 then ${recentDirectsOf('$1', '$2')} else '[]' end as "recentDirects",
     case when $7 then ${draftsOf('$1', '$2', `${DRAFT_LIMITS.inRegister}`)} else '[]' end as drafts,
     case when $8 then ${savedSnippetsOf('$1', '$2')} else '[]' end as "savedSnippets",
     case when $9 then ${ownQuota('$1', ORGANIZATION)} end as "uploadQuota"`,
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
}

/** The caller's rows that need no knowledge of realm, in one statement: most people have few of them. Others than the wanted are empty. */
export async function loadOwnRows(sql: Sql, { realmId, userId }: Caller, wanted: WantedRows): Promise<OwnRows> {
  const { topicPolicies, foreignChannels, stars, recentDirects, drafts, savedSnippets, uploadQuota } = wanted;
  const flags = [topicPolicies, foreignChannels, stars, recentDirects, drafts, savedSnippets, uploadQuota];
  return onlyRow(await sql.query(LOAD, [realmId, userId, ...flags]));
}
