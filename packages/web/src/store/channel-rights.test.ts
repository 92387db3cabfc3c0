import { registered } from '../../test/registered';
import { mayAdminister, mayJoin } from './channel-rights';
import { type Channel, takeNews } from './model';

const OWN_ID = registered()['user_id'] as number;
const NOBODY = 2;
const OWN = { direct_members: [OWN_ID], direct_subgroups: [] };
const CHANNEL = { is_archived: false, can_subscribe_group: NOBODY, can_administer_channel_group: NOBODY };

function of(settings: object, channel: object): Channel {
  const groups = [{ id: NOBODY, members: [], direct_subgroup_ids: [] }];
  takeNews({ kind: 'state', state: { ...registered(), realm_user_groups: groups, ...settings } });
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
