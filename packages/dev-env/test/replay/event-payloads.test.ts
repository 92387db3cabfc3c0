import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyOf } from '@parley/client-model/rules';
import {
  deactivateRealm,
  sendInvitations,
  sendMessage,
  setEditTypingStatus,
  setTypingStatus,
  subscribe,
  updateRealm,
} from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { type PublicEvent, TestNetwork } from '../../src';
import { untilPollsWait } from '../waiting-polls';
import { expectPublished } from './published-payloads';

/** Events that no other test of this folder produces; those tests check the others against the published payloads. */
const clock = createFakeClock();
const EVERY_HEARTBEAT_MS = 60_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ clock, settings: { OUTGOING_ALLOW: '127.0.0.1' } });
});
afterAll(() => network.stop());

function expectPublishedAs(names: readonly string[], events: readonly PublicEvent[]): void {
  expect(events.map(keyOf)).toEqual(expect.arrayContaining([...names]));
  expectPublished(events);
}

test('typing, of messages and of edits', async () => {
  const { dan, eve } = network;
  const capabilities = { stream_typing_notifications: true };
  await dan.call(subscribe, { subscriptions: [{ name: 'kitchen' }], principals: [dan.userId, eve.userId] });
  const inTopic = { type: 'channel', to: 'kitchen', topic: 'lunch', content: 'soup' } as const;
  const { id: messageId } = await dan.call(sendMessage, inTopic);
  const { id: directId } = await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'hi' });
  await network.settle();
  const queue = await eve.events({ client_capabilities: capabilities });
  const { stream_id } = (queue.state['subscriptions'] as { name: string; stream_id: number }[]).find(
    ({ name }) => name === 'kitchen',
  ) as { stream_id: number };
  for (const op of ['start', 'stop'] as const) {
    await dan.call(setTypingStatus, { type: 'channel', op, stream_id, topic: 'lunch' });
    await dan.call(setTypingStatus, { op, to: [eve.userId] });
    for (const message_id of [messageId, directId]) await dan.call(setEditTypingStatus, { message_id, op });
  }
  await network.settle();
  const names = ['typing/start', 'typing/stop', 'typing_edit_message/start', 'typing_edit_message/stop'];
  expectPublishedAs(names, await queue.rest());
});

test('invitations that are others than before', async () => {
  const { iris } = network;
  const queue = await iris.events({ event_types: ['invites_changed'] });
  await iris.call(sendInvitations, { invitee_emails: 'ada@example.com', stream_ids: [] });
  expectPublishedAs(['invites_changed'], [await queue.next('invites_changed')]);
});

test('a completed rendering: an event without an editor', async () => {
  const { dan, eve, iris } = network;
  const site = http.createServer((_request, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end('<title>Soups</title><meta property="og:image" content="/i.png">');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve).unref());
  await iris.call(updateRealm, { inline_url_embed_preview: true });
  const queue = await eve.events({ event_types: ['update_message'] });
  const content = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'links', content });
  const update = await queue.next('update_message');
  expect(update).toMatchObject({ rendering_only: true, user_id: null });
  expectPublished([update]);
  site.close();
});

test('a heartbeat, and the end of the organization', async () => {
  const { dan, iris } = network;
  await network.settle();
  const queue = await dan.events({ event_types: ['realm'] });
  const lastEventId = queue.state['last_event_id'] as number;
  const waiting = queue.poll(lastEventId, false);
  await untilPollsWait(network, 1);
  clock.advance(EVERY_HEARTBEAT_MS);
  const heartbeat = await waiting;
  expectPublishedAs(['heartbeat'], heartbeat);
  const end = queue.poll(heartbeat.at(-1)?.id as number, false);
  await untilPollsWait(network, 1);
  await iris.call(deactivateRealm, {});
  expectPublishedAs(['realm/deactivated'], await end);
});
