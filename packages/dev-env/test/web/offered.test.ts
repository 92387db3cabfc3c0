import { deactivateUser, reactivateUser, sendMessage, updateRealm } from '@parley/gateway/endpoints';
import type { TestNetwork } from '../../src';
import { expectCalm } from './on-page';
import { beforeTests, type WebPeople } from './web-people';

// What is offered works, and what somebody may not do is not offered.

let network: TestNetwork;
let people: WebPeople;
beforeTests((made) => {
  ({ network, people } = made);
});

test('where administrators keep names, addresses and pictures, nobody else is offered to change them', async () => {
  const kept = (isKept: boolean) => ({
    ...{ name_changes_disabled: isKept, email_changes_disabled: isKept, avatar_changes_disabled: isKept },
  });
  await network.iris.call(updateRealm, kept(true));
  const [dan, iris] = [
    await people.open(network.dan, '#settings/profile'),
    await people.open(network.iris, '#settings/profile'),
  ];
  const changes = ['Change: Name', 'Change: E-mail address', 'Upload …: Picture'];
  const nowhere = dan.page.getByText('Only administrators change this here.');
  await nowhere.nth(2).waitFor();
  for (const name of changes) {
    await iris.page.getByLabel(name, { exact: true }).waitFor({ state: 'attached' });
    expect({ name, count: await dan.page.getByLabel(name, { exact: true }).count() }).toEqual({ name, count: 0 });
  }
  await network.iris.call(updateRealm, kept(false));
  await nowhere.first().waitFor({ state: 'detached' });
  for (const name of changes) await dan.page.getByLabel(name, { exact: true }).waitFor({ state: 'attached' });
  expectCalm(dan, iris);
  for (const { context } of [dan, iris]) await context.close();
});

test('the form about a person closes when another administrator deactivates the account, and says so', async () => {
  const { userId } = network.eve;
  const person = await people.open(network.iris, '#organization/people');
  const { page, context } = person;
  await page.getByRole('button', { name: 'Edit: Eve Castillo' }).click();
  const form = page.getByRole('dialog', { name: 'Eve Castillo' });
  await form.waitFor();
  await network.iris.call(deactivateUser, { user_id: userId });
  await page.getByText('The account of Eve Castillo is deactivated.').waitFor();
  await form.waitFor({ state: 'detached' });
  await network.iris.call(reactivateUser, { user_id: userId });
  await page.getByRole('button', { name: 'Edit: Eve Castillo' }).waitFor();
  expectCalm(person);
  await context.close();
});

test('the menu of a topic has a move only for those who may move something', async () => {
  const only = (userId: number) => ({ new: { direct_members: [userId], direct_subgroups: [] } });
  await network.iris.call(sendMessage, { type: 'channel', to: 'general', topic: 'fixed', content: 'Stay.' });
  await network.iris.call(updateRealm, {
    can_move_messages_between_topics_group: only(network.iris.userId),
    can_move_messages_between_channels_group: only(network.iris.userId),
  });
  for (const [client, isOffered] of [[network.iris, true] as const, [network.dan, false] as const]) {
    const person = await people.open(client, '#narrow/channel/1-general/topic/fixed');
    const { page, context } = person;
    const line = page.getByRole('navigation').locator('.topics').getByRole('listitem').filter({ hasText: 'fixed' });
    await line.hover();
    await line.getByRole('button', { name: /fixed/ }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Rename or move' }).count()).toBe(isOffered ? 1 : 0);
    expectCalm(person);
    await context.close();
  }
});

test('who may make incoming webhooks only is offered these', async () => {
  await network.iris.call(updateRealm, {
    can_create_bots_group: { new: { direct_members: [network.iris.userId], direct_subgroups: [] } },
  });
  const person = await people.open(network.dan, '#settings/bots');
  const { page, context } = person;
  await page.getByRole('button', { name: 'New bot' }).click();
  const form = page.getByRole('dialog', { name: 'New bot' });
  expect(await form.getByLabel('Kind').getByRole('option').allInnerTexts()).toHaveLength(1);
  await form.getByLabel('Name', { exact: true }).fill('Builds');
  await form.getByLabel(/^Short name/).fill('builds');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog', { name: 'Builds' }).waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Builds' })
    .filter({ hasText: /incoming/i })
    .waitFor();
  expectCalm(person);
  await context.close();
});
