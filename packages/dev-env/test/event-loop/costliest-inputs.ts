import {
  addAlertWords,
  addCustomEmoji,
  addLinkifier,
  changeGroupMembers,
  createChannel,
  createDataExport,
  createDrafts,
  createGroup,
  createInvitationLink,
  editMessage,
  fetchApiKey,
  getChannelMembers,
  getDataExports,
  getGroupMembers,
  getMessageHistory,
  getMessages,
  getRealmPresence,
  getSubgroups,
  listChannels,
  listGroups,
  listInvitations,
  listSubscriptions,
  listUsers,
  matchNarrow,
  registerQueue,
  renderContent,
  sendInvitations,
  sendMessage,
  setAvatar,
  subscribe,
  unsubscribe,
  updateFlags,
  updateFlagsInNarrow,
  updateSubscriptionProperties,
} from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import {
  afresh,
  besideGuests,
  byGuests,
  type CostlyInput,
  costly,
  costlyUpload,
  first,
  firstPage,
} from './costly-input';
import { HOSTILE_TEXTS } from './hostile-texts';
import { type LargeWorld, words } from './large-world';

/** Each of them gets its key at the first listing, which later ones derive anew. */
async function addLinks({ network: { iris, database } }: LargeWorld, attempt: string): Promise<unknown> {
  if (attempt !== 'a') return;
  await database('invites').query(
    `insert into invitation_link (realm_id, referrer_id, invited_as, channel_ids, group_ids, includes_default_channels, created_at, expires_at)
     select $1, $2, 400, '{}', '{}', false, now(), now() + interval '1 day' from generate_series(1, 3000)`,
    [iris.realmId, iris.userId],
  );
  await iris.call(listInvitations, {});
}

const all = { anchor: 'newest', num_before: 5_000, num_after: 0 };
const inTopic = (topic: string) => [
  { operator: 'channel', operand: 'large' },
  { operator: 'topic', operand: topic },
];
const names = (count: number, start: string) => Array.from({ length: count }, (_each, at) => `${start} ${at}`);
const EVERYBODY = { client_gravatar: false, include_custom_profile_fields: true };
const EVERYTHING = { include_subscribers: 'true', client_gravatar: false } as const;

/** The most expensive known request of each endpoint: a new endpoint adds a line. */
export const COSTLIEST_INPUTS: readonly CostlyInput[] = [
  firstPage('/docs'),
  firstPage('/api/v1/openapi.json'),
  first(
    'messages',
    costly(renderContent, 'the first formula', () => ({ content: '$$x^2$$' })),
  ),
  first(
    'realm',
    costly(createChannel, 'the first formula in a description', () => ({
      name: 'formulas',
      description: '$$x^2$$',
      subscribers: [],
    })),
  ),
  costly(getMessageHistory, 'a message that was rewritten 900 times', ({ rewrittenId }) => ({
    message_id: rewrittenId,
  })),
  costly(getMessages, 'more than fits into an answer', () => ({ ...all, narrow: inTopic('long') })),
  costly(getMessages, 'as many messages as may be asked for', () => ({ ...all, narrow: inTopic('short') })),
  costly(getMessages, 'by ids', ({ shortIds }) => ({ message_ids: shortIds })),
  costly(getMessages, 'words that are in all of a page', () => ({
    ...all,
    narrow: [...inTopic('long'), { operator: 'search', operand: 'soup' }],
  })),
  costly(getMessages, 'as many terms as there may be', () => ({
    ...all,
    num_before: 100,
    narrow: names(50, 'soup').map((operand) => ({ operator: 'search', operand, negated: true })),
  })),
  costly(matchNarrow, 'many messages', ({ shortIds }) => ({
    msg_ids: shortIds,
    narrow: [{ operator: 'search', operand: 'soup' }],
  })),
  costly(updateFlags, 'many messages', ({ shortIds }) => ({ messages: shortIds, op: 'add', flag: 'starred' })),
  costly(updateFlags, 'many messages back', ({ shortIds }) => ({ messages: shortIds, op: 'remove', flag: 'read' })),
  costly(updateFlagsInNarrow, 'as many as may be', () => ({
    ...all,
    narrow: inTopic('short'),
    op: 'add',
    flag: 'starred',
  })),
  ...Object.entries(HOSTILE_TEXTS).map(([title, content]) => costly(renderContent, title, () => ({ content }))),
  costly(sendMessage, 'people by the thousand', () => ({
    type: 'channel',
    to: 'large',
    topic: 'x',
    content: '@**Iris Abara** '.repeat(600),
  })),
  costly(sendMessage, 'formulas', () => ({
    type: 'channel',
    to: 'large',
    topic: 'x',
    content: HOSTILE_TEXTS['formulas'] as string,
  })),
  costly(sendMessage, 'a topic that is as long as a message', () => ({
    type: 'channel',
    to: 'large',
    topic: '*a**b***c[](#'.repeat(750),
    content: 'x',
  })),
  costly(sendMessage, 'as much as fits into a form', () => ({
    type: 'channel',
    to: 'large',
    topic: 'x',
    content: 'a + '.repeat(200_000),
  })),
  costly(editMessage, 'all of a topic', ({ longIds }, attempt) => ({
    message_id: longIds[1] as number,
    topic: `long ${attempt}`,
    propagate_mode: 'change_later',
  })),
  costly(editMessage, 'once more', ({ rewrittenId }) => ({ message_id: rewrittenId, content: words() })),
  costly(createDrafts, 'as large as they fit', () => ({
    drafts: Array.from({ length: 80 }, () => ({
      type: 'stream',
      to: [1],
      topic: 'x',
      content: 'a'.repeat(9_000),
      timestamp: 1,
    })),
  })),
  costly(addAlertWords, 'as many as there may be', () => ({ alert_words: names(1_000, 'alert') })),
  costly(sendMessage, 'with many alert words', () => ({
    type: 'channel',
    to: 'large',
    topic: 'x',
    content: 'alert 999 '.repeat(900),
  })),
  {
    ...costly(sendMessage, 'a mention of everybody', () => ({
      type: 'channel',
      to: 'everybody',
      topic: 'x',
      content: '@**all**',
    })),
    before: ({ network: { iris }, userIds }) =>
      iris.call(subscribe, { subscriptions: [{ name: 'everybody' }], principals: userIds }),
  },
  costly(addLinkifier, 'a hostile pattern', (_world, attempt) => ({
    pattern: `((a{1,30}){1,30}|b)${attempt}(?P<id>[0-9]+)`,
    url_template: 'https://example.com/{id}',
  })),
  costly(addLinkifier, 'a long template', (_world, attempt) => ({
    pattern: `#${attempt}(?P<id>[0-9]+)`,
    url_template: `https://example.com/{id}${'{?id}'.repeat(190)}`,
  })),
  afresh(costly(registerQueue, 'everything', () => EVERYTHING)),
  besideGuests(
    costly(createChannel, 'with all members', ({ memberIds }, attempt) => ({
      name: `members ${attempt}`,
      subscribers: memberIds,
    })),
  ),
  besideGuests(
    costly(subscribe, 'hundreds of guests and of members', ({ userIds, memberIds }, attempt) => {
      const members = new Set(memberIds);
      const guestIds = userIds.filter((id) => !members.has(id));
      const principals = [...guestIds, ...memberIds.slice(0, 300)];
      return { subscriptions: [{ name: `guests ${attempt}` }], principals };
    }),
  ),
  besideGuests({
    ...costly(subscribe, 'a guest to thousands', ({ network: { faye } }) => ({
      subscriptions: [{ name: 'members a' }],
      principals: [faye.userId],
    })),
    before: ({ network: { iris, faye } }) =>
      iris.call(unsubscribe, { subscriptions: ['members a'], principals: [faye.userId] }),
  }),
  ...byGuests(costly(registerQueue, 'everything', () => EVERYTHING)),
  afresh(costly(listUsers, 'everybody', () => EVERYBODY)),
  ...byGuests(costly(listUsers, 'everybody', () => EVERYBODY)),
  costly(listUsers, 'some thousand by their ids', ({ userIds }) => ({
    user_ids: userIds.slice(0, 2_000),
    include_custom_profile_fields: true,
  })),
  afresh(
    costly(listChannels, 'all', () => ({ include_all: true, include_can_access_content: true, include_default: true })),
  ),
  costly(listSubscriptions, 'with their subscribers', () => ({ include_subscribers: 'true' })),
  costly(listGroups, 'all', () => ({ include_deactivated_groups: true })),
  costly(getSubgroups, 'a deep one', ({ groupIds }) => ({ user_group_id: groupIds.at(-1) as number })),
  costly(getGroupMembers, 'a deep one', ({ groupIds }) => ({ user_group_id: groupIds.at(-1) as number })),
  costly(getRealmPresence, 'everybody', () => ({})),
  costly(createGroup, 'with everybody', ({ userIds, groupIds }, attempt) => ({
    name: `everybody ${attempt}`,
    description: '',
    members: userIds,
    subgroups: groupIds,
  })),
  costly(changeGroupMembers, 'everybody', ({ userIds, groupIds }, attempt) => ({
    user_group_id: groupIds[attempt.charCodeAt(0) % groupIds.length] as number,
    add: userIds.slice(1),
  })),
  costly(changeGroupMembers, 'everybody, who then see many channels, or no longer', ({ userIds, doorId }, attempt) => ({
    user_group_id: doorId,
    [attempt.charCodeAt(0) % 2 === 1 ? 'add' : 'delete']: userIds,
  })),
  costly(createChannel, 'with everybody', ({ userIds }, attempt) => ({
    name: `everybody ${attempt}`,
    subscribers: userIds,
  })),
  costly(subscribe, 'many to many channels', ({ userIds }, attempt) => ({
    subscriptions: names(50, `many ${attempt}`).map((name) => ({ name })),
    principals: userIds.slice(0, 400),
  })),
  costly(subscribe, 'everybody to one', ({ userIds }, attempt) => ({
    subscriptions: [{ name: `one ${attempt}` }],
    principals: userIds,
  })),
  costly(subscribe, 'oneself to many', (_world, attempt) => ({
    subscriptions: names(500, `own ${attempt}`).map((name) => ({ name })),
  })),
  costly(getChannelMembers, 'of a large one', () => ({ stream_id: 1 })),
  costly(registerQueue, 'everything of somebody with many channels', () => EVERYTHING),
  {
    ...costly(unsubscribe, 'from many', () => ({ subscriptions: names(200, 'own a') })),
    before: ({ network: { iris } }) =>
      iris.call(subscribe, { subscriptions: names(200, 'own a').map((name) => ({ name })) }),
  },
  costly(updateSubscriptionProperties, 'as many as there may be', () => ({
    subscription_data: Array.from({ length: 5_000 }, (_each, at) => ({
      stream_id: at,
      property: 'color',
      value: '#c2c2c2',
    })),
  })),
  costly(updateSubscriptionProperties, 'none of which is right', () => ({
    subscription_data: Array.from({ length: 5_000 }, () => ({ stream_id: 1, property: 'color', value: 7 })) as never,
  })),
  costly(sendInvitations, 'many addresses', (_world, attempt) => ({
    invitee_emails: names(1_000, attempt)
      .map((name) => `${name.replace(' ', '-')}@example.com`)
      .join(','),
    stream_ids: [],
  })),
  {
    ...costly(listInvitations, 'many links', () => ({})),
    before: addLinks,
  },
  costly(createInvitationLink, 'to many channels', () => ({
    stream_ids: [1, 2, 3],
  })),
  costly(fetchApiKey, 'a long password', () => ({ username: 'iris@example.com', password: 'x'.repeat(900_000) })),
  {
    ...costly(createDataExport, 'all that is public', () => ({ export_type: 1 })),
    after: ({ network: { iris } }) =>
      until(async () => (await iris.call(getDataExports, {})).exports.every(({ pending }) => !pending)),
  },
  costly(sendInvitations, 'a list that is too long', () => ({
    invitee_emails: 'a@example.com,'.repeat(45_000),
    stream_ids: [],
  })),
  costly(sendInvitations, 'a list of nothing', () => ({ invitee_emails: ','.repeat(250_000), stream_ids: [] })),
  costly(addLinkifier, 'a template of braces', (_world, attempt) => ({
    pattern: `#${attempt}(?P<id>[0-9]+)`,
    url_template: `https://example.com/${'{'.repeat(480)}id${'}'.repeat(480)}`,
  })),
  costly(getMessages, 'as many people as a narrow names', ({ userIds }) => ({
    ...all,
    num_before: 100,
    narrow: Array.from({ length: 50 }, (_each, at) => ({
      operator: 'dm-including',
      operand: userIds.slice(at, at + 20),
    })),
  })),
  {
    ...costly(renderContent, 'with many linkifiers', () => ({ content: 'soup 1 a-2 '.repeat(900) })),
    async before({ network: { iris } }, attempt) {
      for (let at = 0; at < 30; at += 1) {
        await iris.call(addLinkifier, {
          pattern: `(?P<name>[a-z]{1,20})[-_ ]${attempt}${at}(?P<id>[0-9]+)`,
          url_template: 'https://example.com/{name}/{id}',
        });
      }
    },
  },
  costlyUpload(addCustomEmoji, 'a large picture', '/realm/emoji/large'),
  costlyUpload(setAvatar, 'a large picture', '/users/me/avatar?'),
];

/** Operations that would end the organization in which the others are called; none of them takes lists or long texts. */
export const NOT_CALLED: ReadonlySet<string> = new Set([
  'POST /realm/deactivate',
  'DELETE /users/me',
  'DELETE /users/{user_id}',
  'POST /users/me/api_key/regenerate',
]);
