import { registered } from '../../test/registered';
import { mayAdminister, mayGive, mayJoin } from './channel-rights';
import { type Channel, takeNews } from './model';
import { mayAddTo, mayRead } from './rights';

const OWN_ID = registered()['user_id'] as number;
const NOBODY = 2;
const OWN = { direct_members: [OWN_ID], direct_subgroups: [] };
const CHANNEL = {
  ...{ stream_id: 5, is_archived: false, can_subscribe_group: NOBODY, can_administer_channel_group: NOBODY },
  can_add_subscribers_group: NOBODY,
};

function of(settings: object, channel: object): Channel {
  const { realm_user_groups: groups, ...state } = registered();
  const nobody = { id: NOBODY, members: [], direct_subgroup_ids: [] };
  takeNews({ kind: 'state', state: { ...state, realm_user_groups: [...(groups as object[]), nobody], ...settings } });
  return { ...CHANNEL, invite_only: false, ...channel } as unknown as Channel;
}

const [MEMBER, GUEST, ADMINISTRATOR] = [{}, { is_guest: true }, { is_admin: true }];

test.each<[string, object, object, boolean]>([
  ['a public channel', MEMBER, {}, true],
  ['an archived one', MEMBER, { is_archived: true }, false],
  ['a private one', MEMBER, { invite_only: true }, false],
  ['a private one with the right', MEMBER, { invite_only: true, can_subscribe_group: OWN }, true],
  ['guests: no public one', GUEST, {}, false],
  ['guests: no web-public one', GUEST, { is_web_public: true }, false],
  ['guests: none whose permission names them', GUEST, { can_subscribe_group: OWN }, false],
])('joining %s', (_case, settings, channel, expected) => {
  expect(mayJoin(of(settings, channel))).toBe(expected);
});

test.each<[string, object, object, boolean]>([
  ['members: no', MEMBER, {}, false],
  ['members whom the permission names', MEMBER, { can_administer_channel_group: OWN }, true],
  ['guests whom it names: no', GUEST, { can_administer_channel_group: OWN }, false],
  ['administrators', ADMINISTRATOR, {}, true],
])('administering, %s', (_case, settings, channel, expected) => {
  expect(mayAdminister(of(settings, channel))).toBe(expected);
});

const JOINED = { subscriptions: [{ stream_id: 5, pin_to_top: false }] };
const PRIVATE = { invite_only: true };

test.each<[string, object, object, boolean]>([
  ['members of a public one', MEMBER, {}, true],
  ['subscribers of a private one', JOINED, PRIVATE, true],
  ['others of a private one: no', MEMBER, PRIVATE, false],
  ['administrators of a private one: no', ADMINISTRATOR, PRIVATE, false],
  ['who may join a private one', MEMBER, { ...PRIVATE, can_subscribe_group: OWN }, true],
  ['who may add people to a private one', MEMBER, { ...PRIVATE, can_add_subscribers_group: OWN }, true],
  ['guests of a public one: no', GUEST, {}, false],
])('reading, and adding people, %s', (_case, settings, channel, expected) => {
  expect(mayRead(of(settings, channel))).toBe(expected);
  expect(mayAddTo(of(settings, channel))).toBe(expected);
});

const OWNED = { can_administer_channel_group: OWN };
const PROTECTED = { ...PRIVATE, history_public_to_subscribers: false };

test.each<[string, string, object, object, boolean]>([
  ['who administers', 'can_resolve_topics_group', MEMBER, OWNED, true],
  ['others: no', 'can_resolve_topics_group', MEMBER, {}, false],
  ['in an archived one: no', 'can_resolve_topics_group', ADMINISTRATOR, { is_archived: true }, false],
  ['access, outside of a private one: no', 'can_subscribe_group', ADMINISTRATOR, PRIVATE, false],
  ['access, within it', 'can_subscribe_group', JOINED, { ...PRIVATE, ...OWNED }, true],
  ['deletion, without the organization’s leave: no', 'can_delete_own_message_group', MEMBER, OWNED, false],
  [
    'deletion, with it',
    'can_delete_any_message_group',
    { realm_can_set_delete_message_policy_group: OWN },
    OWNED,
    true,
  ],
  ['topics', 'can_create_topic_group', MEMBER, OWNED, true],
  ['topics, where the history is protected: no', 'can_create_topic_group', MEMBER, { ...OWNED, ...PROTECTED }, false],
])('giving permissions: %s', (_case, permission, settings, channel, expected) => {
  expect(mayGive(permission, of(settings, channel))).toBe(expected);
});
