import { addReaction, createChannel, editMessage, sendMessage, updateFlags } from '@parley/gateway/endpoints';
import type { Locator } from 'playwright-core';
import type { TestNetwork } from '../../src';
import { expectCalm, goTo, messageWith } from './on-page';
import { beforeTests, type WebPeople } from './web-people';

// Views that were opened before are as the server has them, whatever happens meanwhile.

let network: TestNetwork;
let people: WebPeople;
beforeTests((made) => {
  ({ network, people } = made);
});

const at = (topic: string) => `#narrow/channel/1-general/topic/${topic}`;

function said(topic: string, content: string, sender = network.eve) {
  return sender.call(sendMessage, { type: 'channel', to: 'general', topic, content });
}

test('a message that somebody stars is among the starred ones, which they have looked at before', async () => {
  const { id: firstId } = await said('stars', 'The first star');
  await said('stars', 'The second star');
  const person = await people.open(network.dan, '#narrow/is/starred');
  const { page, context } = person;
  await page.getByText('There are no messages here yet.').waitFor();
  await goTo(person, at('stars'));
  await messageWith(page, 'The second star').click();
  await page.keyboard.press('*');
  await page.getByRole('navigation').getByRole('link', { name: 'Starred messages 1' }).click();
  await messageWith(page, 'The second star').waitFor();
  // In another client, while they look.
  await network.dan.call(updateFlags, { messages: [firstId], op: 'add', flag: 'starred' });
  await messageWith(page, 'The first star').waitFor();
  await network.dan.call(updateFlags, { messages: [firstId], op: 'remove', flag: 'starred' });
  await messageWith(page, 'The first star').waitFor({ state: 'detached' });
  expectCalm(person);
  await context.close();
});

test('mentions that edits add, reactions and search results are there at once, or on coming back', async () => {
  const { id: plainId } = await said('views', 'Somebody should look.');
  const { id: ownId } = await said('views', 'Shall we?', network.dan);
  const person = await people.open(network.dan, '#narrow/is/mentioned');
  const { page, context } = person;
  const reactions = `#narrow/has/reaction/sender/${network.dan.userId}`;
  await page.getByText('There are no messages here yet.').waitFor();
  await network.eve.call(editMessage, { message_id: plainId, content: '@**Dan Brooks** should look.' });
  await messageWith(page, 'should look').waitFor();
  await goTo(person, reactions);
  await page.getByText('No messages match this search.').waitFor();
  await network.eve.call(addReaction, { message_id: ownId, emoji_name: 'heart' });
  await messageWith(page, 'Shall we?').waitFor();
  await goTo(person, '#narrow/search/pelican');
  await page.getByText('No messages match this search.').waitFor();
  await goTo(person, reactions);
  await said('views', 'A pelican!');
  await network.settle();
  await goTo(person, '#narrow/search/pelican');
  await messageWith(page, 'A pelican!').locator('.highlight').waitFor();
  expectCalm(person);
  await context.close();
});

test('a topic that is resolved stands once among the recent conversations', async () => {
  const { id } = await said('boiler', 'It is cold.');
  const person = await people.open(network.dan, '#recent');
  const { page, context } = person;
  const lines = page.getByRole('main').getByRole('listitem').filter({ hasText: 'boiler' });
  await lines.waitFor();
  await network.eve.call(editMessage, { message_id: id, topic: '✔ boiler', propagate_mode: 'change_all' });
  await lines.filter({ has: page.getByRole('img', { name: 'resolved' }) }).waitFor();
  await said('✔ boiler', 'It is warm.');
  await lines.getByText('2 unread').first().waitFor();
  expect(await lines.count()).toBe(1);
  expectCalm(person);
  await context.close();
});

test('recent conversations that could not be fetched are said not to be, and are there when they are asked for', async () => {
  await said('kettle', 'Tea?');
  const { page, context, complaints } = await people.open(network.dan, '#drafts');
  await page.route('**/json/messages?*', (route) => route.abort(), { times: 1 });
  await page.keyboard.press('t');
  await page.getByRole('status').getByText('The server does not answer.').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('main').getByRole('listitem').filter({ hasText: 'kettle' }).waitFor();
  expect(complaints.filter((each) => !each.includes('net::ERR_FAILED'))).toEqual([]);
  await context.close();
});

test('a conversation that is opened without a network comes when there is one', async () => {
  await said('tunnel', 'Light at the end');
  const person = await people.open(network.dan, '#drafts');
  const { page, context } = person;
  await context.setOffline(true);
  await goTo(person, at('tunnel'));
  await page.getByRole('alert').getByText('The server does not answer.').waitFor();
  await context.setOffline(false);
  await messageWith(page, 'Light at the end').waitFor();
  await context.close();
});

test('the left side shows where somebody goes, also far below', async () => {
  for (let at = 0; at < 40; at += 1) {
    const name = `lane ${String(at).padStart(2, '0')}`;
    await network.iris.call(createChannel, { name, subscribers: [network.dan.userId] });
  }
  const { id } = await network.iris.call(createChannel, { name: 'lane 99', subscribers: [network.dan.userId] });
  await network.iris.call(sendMessage, { type: 'channel', to: 'lane 99', topic: 'deep', content: 'Down here.' });
  const person = await people.open(network.dan, '#narrow/is/starred');
  const { page, context } = person;
  const side = page.getByRole('navigation', { name: 'Views and channels' });
  const isInSight = (entry: Locator) => entry.evaluate(isWithin);
  await goTo(person, `#narrow/channel/${id}-lane-99/topic/deep`);
  const topic = side.getByRole('link', { name: 'deep' });
  await topic.and(side.locator('[aria-current]')).waitFor();
  expect(await isInSight(topic)).toBe(true);
  expectCalm(person);
  await context.close();
});

interface Box {
  top: number;
  bottom: number;
}

function isWithin(element: unknown): boolean {
  const entry = element as { getBoundingClientRect(): Box; closest(name: string): { getBoundingClientRect(): Box } };
  const [inner, outer] = [entry.getBoundingClientRect(), entry.closest('.left').getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom;
}
