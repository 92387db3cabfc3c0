import {
  addReaction,
  addSubmessage,
  createChannel,
  findChannel,
  sendMessage,
  subscribe,
  updateOwnStatus,
  updatePresence,
} from '@parley/gateway/endpoints';
import { readRunFile } from '@parley/operator/run-file';
import type { NewAccount } from '@parley/shared/proto';
import { connectRpc, newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Demo } from '../demo/demo-file';
import type { HttpClient } from '../network/http-client';
import { createTestClient, type TestClient } from '../network/test-client';
import { CHANNELS, DIRECT, FULL_NAMES, type Name, PEOPLE, STATUSES, WRITTEN, type Written } from './conversations';

export type People = Readonly<Record<Name, TestClient>>;

/** Makes the demo's people, and those it lacks. */
export async function peopleOf(demo: Demo, dataDir: string, host: string, http: HttpClient): Promise<People> {
  const { client: realm, close } = connectRpc('realm', readRunFile(dataDir)?.addresses.realm as string);
  const accounts: NewAccount[] = demo.users.map((user) => ({ ...user, realmId: demo.realmId }) as NewAccount);
  for (const [name, fullName] of Object.entries(FULL_NAMES)) {
    const email = `${name}@example.com`;
    accounts.push(await realm.createUser(newCall(), { subdomain: '', email, fullName, role: ROLES.member }));
  }
  close();
  const clients = PEOPLE.map((name) => {
    const account = accounts.find(({ email }) => email === `${name}@example.com`) as NewAccount;
    return [name, createTestClient(account, host, http)];
  });
  return Object.fromEntries(clients);
}

/** Everything that is in the pictures. Resolves with the channel that is shown. */
export async function fillDemo(people: People, picture: Buffer): Promise<number> {
  await makeChannels(people);
  const address = await upload(people.noor, picture);
  for (const each of WRITTEN) await write(people, { ...each, content: each.content.replace('PICTURE', address) });
  for (const { by, to, content } of DIRECT) {
    await people[by].call(sendMessage, { type: 'direct', to: to.map((name) => people[name].userId), content });
  }
  for (const [name, status] of Object.entries(STATUSES)) await people[name as Name].call(updateOwnStatus, status);
  for (const name of PEOPLE) if (name !== 'sven') await people[name].call(updatePresence, { status: 'active' });
  const { stream_id: channelId } = await people.dan.call(findChannel, { stream: 'engineering' });
  return channelId;
}

async function makeChannels({ iris, ...others }: People): Promise<void> {
  const subscribers = Object.values({ iris, ...others }).map(({ userId }) => userId);
  for (const [name, description] of Object.entries(CHANNELS)) {
    await iris.call(createChannel, { name, description, subscribers });
  }
  // Guests are not in it from the beginning.
  await iris.call(subscribe, { subscriptions: [{ name: 'announcements' }], principals: subscribers });
}

async function upload({ callRaw }: TestClient, picture: Buffer): Promise<string> {
  const head =
    '--B\r\nContent-Disposition: form-data; name="file"; filename="export.png"\r\nContent-Type: image/png\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--B--\r\n')]);
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const { json } = await callRaw({ method: 'POST', path: '/api/v1/user_uploads', headers, body });
  return json['url'] as string;
}

async function write(people: People, { by, channel, topic, content, reactions = {}, votes = [] }: Written) {
  const { id } = await people[by].call(sendMessage, { type: 'channel', to: channel, topic, content });
  for (const [emoji, names] of Object.entries(reactions)) {
    for (const name of names) await people[name].call(addReaction, { message_id: id, emoji_name: emoji });
  }
  for (const [name, option] of votes) {
    const vote = JSON.stringify({ type: 'vote', key: `canned,${option}`, vote: 1 });
    await people[name].call(addSubmessage, { message_id: id, msg_type: 'widget', content: vote });
  }
}
