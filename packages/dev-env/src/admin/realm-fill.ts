import { newCall } from '@parley/shared/rpc';
import type { CommandOf } from './command';

const TIMEOUT_MS = 300_000;

/** Fills an organization with people, channels and groups, to see it large. */
export const realmFill: CommandOf<'realm'> = {
  service: 'realm',
  about:
    'fills an organization with made-up users (bots among them), channels and groups; the same seed makes the same',
  required: { realm: 'SUBDOMAIN', users: 'N', channels: 'M' },
  optional: { groups: 'G', 'subscriptions-per-user': 'K', seed: '1' },
  async run(realm, options) {
    const groups = options.optionalInteger('groups');
    const subscriptionsPerUser = options.optionalInteger('subscriptions-per-user');
    const filled = await realm.fillRealm(newCall(undefined, TIMEOUT_MS), {
      subdomain: options.text('realm'),
      users: options.integer('users'),
      channels: options.integer('channels'),
      ...(groups === undefined ? {} : { groups }),
      ...(subscriptionsPerUser === undefined ? {} : { subscriptionsPerUser }),
      seed: options.optionalInteger('seed') ?? 1,
    });
    const { realmId, ...counts } = filled;
    return { realm_id: realmId, ...counts };
  },
};
