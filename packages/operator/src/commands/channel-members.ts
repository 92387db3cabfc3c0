import { command } from '../command/command';
import { as, operatedIds, operatedRealm } from '../command/operated';
import { list, realm, text } from '../command/options';

const name = text('NAME');
const users = list('EMAIL,EMAIL');

export const channelAdd = command({
  services: ['realm'],
  summary: 'subscribes people to a channel; who is subscribed already stays so',
  options: { realm, name, users, as },
  examples: ['--realm acme --name announcements --users bo@acme.org,di@acme.org'],
  async run({ realm: service }, { name, users: emails, ...named }) {
    const { actor } = await operatedRealm(service, named);
    // Subscribing would make a channel that there is not.
    const { channelId } = await service.findChannel(actor, { name });
    const { subscribed } = await service.subscribe(actor, {
      channels: [{ name, description: '', color: '' }],
      principalIds: await operatedIds(service, named.realm, emails),
      principalEmails: [],
      areAuthorizationErrorsFatal: true,
      newChannel: null,
      sendsNotices: false,
    });
    return { channel_id: channelId, added: subscribed.length };
  },
});

export const channelRemove = command({
  services: ['realm'],
  summary: 'ends the subscriptions of people to a channel; who has none is passed over',
  options: { realm, name, users, as },
  examples: ['--realm acme --name announcements --users bo@acme.org'],
  async run({ realm: service }, { name, users: emails, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { channelId } = await service.findChannel(actor, { name });
    const principalIds = await operatedIds(service, named.realm, emails);
    const { removed } = await service.unsubscribe(actor, { channelNames: [name], principalIds, principalEmails: [] });
    return { channel_id: channelId, removed: removed.length };
  },
});
