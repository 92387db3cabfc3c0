import type { UploadQuota } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { z } from 'zod';
import { command } from '../command/command';
import { operatedRealm, operatedUser } from '../command/operated';
import { realm, text, withoutUndefined } from '../command/options';

const user = text('EMAIL').optional();

const mib = z
  .string()
  .regex(/^(\d{1,9}|default|none)$/, { error: ({ input }) => `must be a number, default or none (it is "${input}")` })
  .meta({ placeholder: 'N|default|none' });

export const quotaShow = command({
  services: ['realm', 'messages'],
  summary: 'what the files of an organization, or of one account, take up and may take up',
  options: { realm, user },
  examples: ['--realm acme', '--realm acme --user bo@acme.org'],
  async run({ realm: service, messages }, named) {
    const whose = await findWhose(service, named);
    return publicQuota(whose, await messages.getUploadQuota(newCall(), whose));
  },
});

export const quotaSet = command({
  services: ['realm', 'messages'],
  summary: 'sets how much they may take up: a number of MiB, none (no limit), or default (the setting)',
  options: { realm, user, mib },
  examples: ['--realm acme --mib 20480', '--realm acme --user bo@acme.org --mib default'],
  async run({ realm: service, messages }, { mib: word, ...named }) {
    const whose = await findWhose(service, named);
    const own = word === 'default' ? {} : { own: word === 'none' ? {} : { mib: Number(word) } };
    return publicQuota(whose, await messages.setUploadQuota(newCall(), { ...whose, ...own }));
  },
});

interface Whose {
  realmId: number;
  userId?: number;
}

async function findWhose(
  service: RpcClient<'realm'>,
  { realm: subdomain, user: email }: { realm: string; user: string | undefined },
): Promise<Whose> {
  if (email === undefined) return { realmId: (await operatedRealm(service, { realm: subdomain })).organization.id };
  const { user: found } = await operatedUser(service, { realm: subdomain, email });
  return { realmId: found.realmId, userId: found.id };
}

function publicQuota({ realmId, userId }: Whose, { usedBytes, allowance, isOwn }: UploadQuota) {
  return {
    realm_id: realmId,
    ...withoutUndefined({ user_id: userId }),
    used_bytes: usedBytes,
    allowed_mib: allowance?.mib ?? 'none',
    from: isOwn ? 'own' : 'setting',
  };
}
