import {
  createDrafts,
  createSavedSnippet,
  deleteDraft,
  deleteSavedSnippet,
  getDrafts,
  getMessages,
  getSavedSnippets,
  registerQueue,
  reportMessage,
  sendMessage,
  subscribe,
  updateDraft,
  updateRealm,
  updateSavedSnippet,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

const TYPES = ['drafts', 'saved_snippets'];

/** A list as a client keeps it by its events. */
function keep<Item extends { id: number }>(items: Item[]) {
  return {
    add: (more: Item[]) => items.push(...more),
    update: (item: Item) =>
      items.splice(
        items.findIndex(({ id }) => id === item.id),
        1,
        item,
      ),
    remove: (goneId: number) =>
      items.splice(
        items.findIndex(({ id }) => id === goneId),
        1,
      ),
    byId: () => [...items].sort((a, b) => a.id - b.id),
  };
}

test('drafts and snippets are the same on all devices of their owner, and hidden from others', async () => {
  const { dan, eve } = network;
  const queue = await dan.events({ event_types: TYPES });
  const elsewhere = await eve.events({ event_types: TYPES });
  const kept = keep(queue.state['drafts'] as { id: number }[]);
  const draft = { type: 'private' as const, to: [eve.userId], topic: 'none', content: 'Lunch?' };

  const { ids } = await dan.call(createDrafts, { drafts: [draft, { ...draft, type: '', timestamp: 1 }] });
  kept.add((await queue.next('drafts'))['drafts'] as { id: number }[]);
  await dan.call(updateDraft, { draft_id: ids[0] as number, draft: { ...draft, content: 'Dinner?' } });
  kept.update((await queue.next('drafts'))['draft'] as { id: number });
  const all = await dan.call(getDrafts, {});
  expect(all).toMatchObject({ count: 2, drafts: [{ content: 'Dinner?', to: [eve.userId], topic: '' }, { type: '' }] });
  const fresh = await dan.call(registerQueue, { fetch_event_types: TYPES });
  expect(fresh.drafts).toEqual(all.drafts);
  expect(kept.byId()).toEqual([...all.drafts].sort((a, b) => a.id - b.id));
  await dan.call(deleteDraft, { draft_id: ids[1] as number });
  kept.remove((await queue.next('drafts'))['draft_id'] as number);
  expect(kept.byId()).toEqual((await dan.call(getDrafts, {})).drafts);

  const { saved_snippet_id: id } = await dan.call(createSavedSnippet, { title: 'Hello', content: 'Hi!' });
  await dan.call(updateSavedSnippet, { saved_snippet_id: id, title: 'Greeting' });
  const { saved_snippets: snippets } = await dan.call(getSavedSnippets, {});
  await dan.call(deleteSavedSnippet, { saved_snippet_id: id });
  expect(await queue.take('saved_snippets', 3)).toMatchObject([
    { op: 'add', saved_snippet: { id, title: 'Hello' } },
    { op: 'update', saved_snippet: snippets[0] },
    { op: 'remove', saved_snippet_id: id },
  ]);
  await network.settle();
  expect(await elsewhere.rest()).toEqual([]);
});

test('disabling drafts deletes them', async () => {
  const { eve } = network;
  const draft = { type: '' as const, to: [], topic: '', content: 'Hm' };
  await eve.call(createDrafts, { drafts: [draft] });
  await eve.call(updateUserSettings, { enable_drafts_synchronization: false });
  const refusal = await eve.expectError('BAD_REQUEST', createDrafts, { drafts: [draft] });
  expect(refusal['msg']).toBe('User has disabled synchronizing drafts.');
  await network.settle();
  await eve.call(updateUserSettings, { enable_drafts_synchronization: true });
  expect(await eve.call(getDrafts, {})).toMatchObject({ count: 0, drafts: [] });
});

test('a report reaches the moderators’ channel', async () => {
  const { iris, dan, eve } = network;
  await iris.call(subscribe, { subscriptions: [{ name: 'moderation' }], invite_only: true });
  const { subscriptions } = await iris.call(registerQueue, { fetch_event_types: ['subscription'] });
  const channelId = subscriptions?.find(({ name }) => name === 'moderation')?.stream_id as number;
  const { id } = await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Buy *this*' });
  const report = { message_id: id, report_type: 'spam' as const };
  await dan.expectError('BAD_REQUEST', reportMessage, report);
  await iris.call(updateRealm, { moderation_request_channel_id: channelId });
  await dan.call(reportMessage, report);
  await network.settle();
  const { messages } = await iris.call(getMessages, {
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: channelId }],
    apply_markdown: false,
  });
  expect(messages[0]?.content).toContain('- Reason: **Spam**');
  expect(messages[0]?.content).toContain('Buy *this*');
});
