import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { integer, realm } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

const TIMEOUT_MS = 300_000;

/** Fills an organization with people, channels and groups, to see it large. */
export const realmFill = command({
  services: ['realm'],
  summary:
    'fills an organization with made-up users (bots among them), channels and groups; the same seed makes the same',
  options: {
    realm,
    users: integer('N'),
    channels: integer('M'),
    groups: integer('G').optional(),
    'subscriptions-per-user': integer('K').optional(),
    seed: integer('1').optional(),
  },
  examples: ['--realm acme --users 20000 --channels 2000'],
  async run({ realm: service }, { realm: subdomain, users, channels, groups, seed = 1, ...options }) {
    const { realmId, ...counts } = await service.fillRealm(newCall(undefined, TIMEOUT_MS), {
      subdomain,
      users,
      channels,
      ...withoutUndefined({ groups, subscriptionsPerUser: options['subscriptions-per-user'] }),
      seed,
    });
    return { realm_id: realmId, ...counts };
  },
});
