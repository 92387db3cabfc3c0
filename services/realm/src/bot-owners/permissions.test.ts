import { BOT_TYPES, ROLES } from '@parley/shared/values';
import { anActor } from '../../test/an-actor';
import { mayCreateBot } from './permissions';

const [BOTS, WEBHOOKS] = [70, 71];
const rights = {
  can_create_bots_group: { directMemberIds: [9], directSubgroupIds: [BOTS] },
  can_create_write_only_bots_group: { directMemberIds: [8], directSubgroupIds: [WEBHOOKS] },
};

// Rows: actor; may create bots of every type; may create bots that only receive.
test.each([
  ['a member of the one group', anActor({ groupIds: [BOTS] }), true, true],
  ['a member of the other group', anActor({ groupIds: [WEBHOOKS] }), false, true],
  ['somebody named for bots', anActor({ id: 9 }), true, true],
  ['somebody named for webhooks', anActor({ id: 8 }), false, true],
  ['an owner in neither', anActor({ role: ROLES.owner }), false, false],
  ['an administrator in neither', anActor({ role: ROLES.administrator }), false, false],
  ['a moderator in both', anActor({ role: ROLES.moderator, groupIds: [BOTS, WEBHOOKS] }), true, true],
  ['a guest in both', anActor({ role: ROLES.guest, groupIds: [BOTS, WEBHOOKS] }), false, false],
  ['somebody deactivated in both', anActor({ isActive: false, groupIds: [BOTS, WEBHOOKS] }), false, false],
])('%s', (_who, actor, mayCreateAny, mayCreateWebhook) => {
  expect(mayCreateBot(actor, rights, BOT_TYPES.generic)).toBe(mayCreateAny);
  expect(mayCreateBot(actor, rights, BOT_TYPES.outgoingWebhook)).toBe(mayCreateAny);
  expect(mayCreateBot(actor, rights, BOT_TYPES.incomingWebhook)).toBe(mayCreateWebhook);
});
