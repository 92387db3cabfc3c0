import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { asCaller, operatedUser } from '../command/operated';
import { identifier, realm, text } from '../command/options';
import { timeOf } from '../command/present';

const email = text('EMAIL');

export const keyList = command({
  services: ['realm'],
  summary: 'lists the valid API keys of an account, without the keys themselves',
  options: { realm, email },
  async run({ realm: service }, named) {
    const { user } = await operatedUser(service, named);
    const { keys } = await service.getApiKeys(asCaller(user), {});
    return { keys: keys.map(({ id, label, createdAtMs }) => ({ id, label, created_at: timeOf(createdAtMs) })) };
  },
});

export const keyCreate = command({
  services: ['realm'],
  summary: 'gives a person one more API key, which is shown only once',
  options: { realm, email, label: text('TEXT') },
  examples: ['--realm acme --email bo@acme.org --label backup'],
  async run({ realm: service }, { realm: subdomain, email: address, label }) {
    const { userId, apiKey } = await service.addApiKey(newCall(), { subdomain, email: address, label });
    return { user_id: userId, api_key: apiKey };
  },
});

export const keyRevoke = command({
  services: ['realm'],
  summary: 'revokes an API key and ends its queues',
  options: { realm, email, id: identifier('N') },
  examples: ['--realm acme --email bo@acme.org --id 17'],
  async run({ realm: service }, { id: keyId, ...named }) {
    const { user } = await operatedUser(service, named);
    await service.revokeApiKey(asCaller(user), { keyId });
    return { user_id: user.id };
  },
});
