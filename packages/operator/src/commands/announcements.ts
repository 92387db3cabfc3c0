import { newCall, type RpcClient } from '@parley/shared/rpc';
import { command } from '../command/command';
import { realm, text } from '../command/options';

const TIMEOUT_MS = 120_000;

export const announceChannel = command({
  services: ['realm'],
  summary: 'has the notification bot say something in a channel',
  options: { realm, channel: text('NAME'), topic: text('TOPIC'), content: text('TEXT') },
  examples: ["--realm acme --channel general --topic maintenance --content 'We are away from 22:00 to 22:15.'"],
  async run({ realm: service }, { realm: subdomain, channel: channelName, topic, content }) {
    const { realmId } = await service.announceNotice(newCall(), { subdomain, channelName, topic, content });
    return { realm_id: realmId };
  },
});

export const announceEverybody = command({
  services: ['realm'],
  summary: 'has the notification bot say something to every person of an organization, or, without --realm, of all',
  options: { realm: realm.optional(), content: text('TEXT') },
  examples: [
    "--realm acme --content 'We are away from 22:00 to 22:15.'",
    "--content 'We are away from 22:00 to 22:15.'",
  ],
  async run({ realm: service }, { realm: subdomain, content }) {
    const subdomains = subdomain === undefined ? await openSubdomains(service) : [subdomain];
    let receivers = 0;
    for (const each of subdomains) {
      const call = newCall(undefined, TIMEOUT_MS);
      receivers += (await service.announceNotice(call, { subdomain: each, topic: '', content })).receivers;
    }
    return { organizations: subdomains.length, receivers };
  },
});

async function openSubdomains(service: RpcClient<'realm'>): Promise<string[]> {
  const { realms } = await service.listRealms(newCall(), {});
  return realms.filter(({ isDeactivated }) => !isDeactivated).map(({ subdomain }) => subdomain);
}
