import {
  addReaction,
  archiveChannel,
  createChannel,
  createGroup,
  listUsers,
  registerQueue,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateOwnStatus,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import type { Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { expectCalm, goTo, messageWith, writingField } from './on-page';
import { type WebPeople, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
let channelId: number;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network);
  const { iris, dan, eve } = network;
  const subscribers = [iris.userId, dan.userId, eve.userId];
  ({ id: channelId } = await iris.call(createChannel, { name: 'garden', subscribers }));
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
});

const write = (topic: string, content: string) =>
  network.eve.call(sendMessage, { type: 'channel', to: 'garden', topic, content });

test('the inbox counts live, by channel; a topic is marked as read there', async () => {
  const { page, context, complaints } = await people.open(network.dan);
  await write('tulips', 'They are red.');
  await write('tulips', 'And yellow.');
  const line = page.getByRole('main').getByRole('listitem').filter({ hasText: 'tulips' });
  await line.getByText('2 unread').waitFor();
  await line.getByRole('button', { name: 'Mark as read' }).click();
  await line.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await context.close();
});

test('a search is typed with suggestions by keys alone, and finds what was written', async () => {
  await write('roses', 'Roses need water.');
  const { page, context } = await people.open(network.dan);
  await page.keyboard.press('/');
  await page.keyboard.type('sender:ev');
  await page.getByRole('option', { name: /sender:"Eve Castillo"/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/#narrow/sender/${network.eve.userId}`);
  await page.getByRole('article').getByText('Roses need water.').waitFor();
  await context.close();
});

test('a search that finds nothing says so', async () => {
  const { page, context, complaints } = await people.open(network.dan);
  await page.keyboard.press('/');
  await page.keyboard.type('rutabagas');
  await page.keyboard.press('Enter');
  await page.getByText('No messages match this search.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a search for what there is not says what is wrong, in the language of the person', async () => {
  await network.faye.call(updateUserSettings, { default_language: 'de' });
  const [dan, faye] = [await people.open(network.dan), await people.open(network.faye)];
  const searchFor = async (page: Page, words: string) => {
    await page.keyboard.press('/');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`${words}`);
    await page.keyboard.press('Enter');
  };
  await searchFor(dan.page, 'channel:attic');
  await dan.page.getByText('“channel:attic” names nothing that can be searched for here.').waitFor();
  expect(await dan.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await searchFor(faye.page, 'sender:Nobody');
  await faye.page.getByText('„sender:Nobody“ nennt nichts, wonach hier gesucht werden kann.').waitFor();
  for (const { context } of [dan, faye]) await context.close();
});

test('a search around a message that has no number goes nowhere, and says why', async () => {
  const { page, context } = await people.open(network.dan, '#recent');
  await page.keyboard.press('/');
  await page.keyboard.type('near:abc');
  await page.keyboard.press('Enter');
  await page.getByText('“near:abc” names nothing that can be searched for here.').waitFor();
  expect(page.url()).toMatch(/#recent$/);
  await context.close();
});

test('conditions of a search stand before its words, and are removed one by one', async () => {
  await write('pears', 'Green pears.');
  await network.iris.call(sendMessage, { type: 'channel', to: 'garden', topic: 'pears', content: 'Yellow pears.' });
  const { page, context, complaints } = await people.open(network.dan);
  const field = page.getByRole('combobox', { name: 'Search messages' });
  await page.keyboard.press('/');
  await page.keyboard.type('channel:garden has:link pears sender:ev');
  await page.getByRole('option', { name: /sender:"Eve Castillo"/ }).waitFor();
  const condition = (words: string) => page.getByRole('button', { name: `Remove ${words}` });
  await condition('channel:garden').waitFor();
  expect(await field.inputValue()).toBe('pears sender:ev');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('Green pears.').waitFor({ state: 'detached' });
  // On a phone they are moved within the box, not the page.
  await page.setViewportSize({ width: 390, height: 780 });
  await condition('sender:"Eve Castillo"').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  // The view goes on without the condition.
  await condition('has:link').click();
  await page.getByRole('article').getByText('Green pears.').waitFor();
  expect(await page.getByText('Yellow pears.').count()).toBe(0);
  expect(await field.inputValue()).toBe('pears');

  await page.keyboard.press('/');
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await condition('sender:"Eve Castillo"').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Yellow pears.').waitFor();
  await page.reload();
  await condition('channel:garden').waitFor();
  expect(await field.inputValue()).toBe('pears');
  await page.getByRole('button', { name: 'End the search' }).click();
  await page.waitForURL('**/#inbox');
  // The page is drawn after its address has changed.
  await condition('channel:garden').waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('');
  expect(complaints).toEqual([]);
  await context.close();
});

test('keys lead from unread topic to unread topic, and back to the inbox', async () => {
  await write('apples', 'Ripe.');
  const { page, context } = await people.open(network.iris);
  await page.keyboard.press('n');
  await page.waitForURL(/#narrow\/channel\/\d+-garden\/topic\//);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/#inbox');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Recent conversations').waitFor();
  await context.close();
});

test('links to a message of a moved topic lead to where it is now', async () => {
  const { id } = await write('wrong place', 'A frog.');
  await network.iris.callRaw({
    method: 'PATCH',
    path: `/api/v1/messages/${id}`,
    form: { topic: 'the pond', propagate_mode: 'change_all' },
  });
  const former = `#narrow/stream/${channelId}-garden/subject/wrong.20place`;
  for (const kind of ['near', 'with']) {
    const { page, context } = await people.open(network.dan, `${former}/${kind}/${id}`);
    await page.waitForURL(new RegExp(`/topic/the.20pond/${kind}/${id}$`));
    await page.getByRole('article').getByText('A frog.').waitFor();
    await context.close();
  }
});

test('a link to a channel that one may not see says so, and shows its messages when one is added to it', async () => {
  const { iris, dan, eve } = network;
  const members = { subscribers: [iris.userId, dan.userId], invite_only: true, history_public_to_subscribers: true };
  const { id } = await iris.call(createChannel, { name: 'cellar', ...members });
  await iris.call(sendMessage, { type: 'channel', to: 'cellar', topic: 'wine', content: 'It is cold here.' });
  const person = await people.open(eve, '#narrow/dm/999999-nobody');
  const { page, context, complaints } = person;
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await goTo(person, '#inbox');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await goTo(person, `#narrow/channel/${id}-cellar/topic/wine`);
  await page.getByRole('heading', { name: 'Not found' }).waitFor();
  await page.getByText('There is no such conversation, or you may not see it.').waitFor();
  expect(await page.getByRole('form').count()).toBe(0);
  await iris.call(subscribe, { subscriptions: [{ name: 'cellar' }], principals: [eve.userId] });
  await page.getByRole('article').getByText('It is cold here.').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a topic is resolved from its menu, and others see it', async () => {
  await write('weeds', 'Who pulls them?');
  const [dan, eve] = [
    await people.open(network.dan, `#narrow/channel/${channelId}-garden`),
    await people.open(network.eve, `#narrow/channel/${channelId}-garden`),
  ];
  const ofDan = { direct_members: [network.dan.userId], direct_subgroups: [] };
  await network.iris.call(updateChannel, { stream_id: channelId, can_delete_any_message_group: { new: ofDan } });
  await network.settle();
  await dan.page.getByRole('button', { name: 'Actions for weeds' }).click();
  // Whole topics are deleted by administrators.
  expect(await dan.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
  await dan.page.getByRole('menuitem', { name: 'Mark the topic as resolved' }).click();
  const line = eve.page
    .getByRole('navigation')
    .getByRole('listitem')
    .filter({ hasText: /^weeds/ });
  await line.getByRole('img', { name: 'resolved' }).waitFor();
  await goTo(eve, '#recent');
  const recent = eve.page.getByRole('main').getByRole('link', { name: /garden › weeds/ });
  await recent.getByRole('img', { name: 'resolved' }).waitFor();
  for (const { context } of [dan, eve]) await context.close();
});

test('somebody makes a channel with others, who have it at once; another one finds it and joins', async () => {
  const [dan, eve, iris] = [
    await people.open(network.dan, '#channels/new'),
    await people.open(network.eve),
    await people.open(network.iris, '#channels/available'),
  ];
  await dan.page.getByLabel('Name', { exact: true }).fill('greenhouse');
  await dan.page.getByRole('combobox', { name: 'Add people by name' }).fill('eve');
  await dan.page.getByRole('option', { name: /Eve Castillo/ }).click();
  await dan.page.getByRole('button', { name: 'Create a channel' }).last().click();
  await dan.page.waitForURL(/#narrow\/channel\/\d+-greenhouse$/);
  await eve.page
    .getByRole('navigation')
    .getByRole('link', { name: /greenhouse/ })
    .waitFor();
  await iris.page.getByRole('button', { name: 'Join: greenhouse' }).click();
  await iris.page
    .getByRole('navigation')
    .getByRole('link', { name: /greenhouse/ })
    .first()
    .waitFor();
  for (const { context } of [dan, eve, iris]) await context.close();
});

test('somebody leaves channels, the private one after a question, and can come back to the other', async () => {
  const { iris, dan } = network;
  await iris.call(createChannel, { name: 'shed', subscribers: [iris.userId, dan.userId], invite_only: true });
  const { page, context, complaints } = await people.open(dan, `#narrow/channel/${channelId}-garden`);
  const left = page.getByRole('navigation', { name: 'Channels' });
  const leave = async (name: string) => {
    await left.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Leave the channel' }).click();
  };
  await leave('shed');
  const question = page.getByRole('dialog', { name: 'Leave the channel' });
  await question.getByText('has to add you again').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await leave('shed');
  await question.getByRole('button', { name: 'Leave the channel' }).click();
  await left.getByRole('link', { name: 'shed' }).waitFor({ state: 'detached' });

  await leave('garden');
  await left.getByRole('button', { name: 'Not joined' }).waitFor();
  await left.getByRole('button', { name: 'Join', exact: true }).click();
  await left.getByRole('button', { name: 'Not joined' }).waitFor({ state: 'detached' });
  await left.getByRole('link', { name: 'garden' }).first().waitFor();
  expect(await page.getByText('shed').count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('an administrator gives a permission in a channel; others only read it, and see it change', async () => {
  const hash = `#channels/${channelId}/permissions`;
  const [iris, dan] = [await people.open(network.iris, hash), await people.open(network.dan, hash)];
  const fieldOf = (page: typeof iris.page) => page.getByRole('group', { name: 'Add members' });
  await dan.page.getByText('Only administrators of the channel can change this.').waitFor();
  expect(await fieldOf(dan.page).getByRole('textbox').count()).toBe(0);
  await fieldOf(iris.page).getByRole('textbox').fill('eve');
  await fieldOf(iris.page).getByRole('button', { name: 'Eve Castillo' }).click();
  await fieldOf(dan.page).getByText('Eve Castillo').waitFor();
  for (const { context } of [iris, dan]) await context.close();
});

test('an administrator outside of a private channel changes what it is, but not who reads it', async () => {
  const { iris, dan } = network;
  const { id } = await dan.call(createChannel, { name: 'secrets', subscribers: [dan.userId], invite_only: true });
  const person = await people.open(iris, `#channels/${id}/permissions`);
  const { page } = person;
  const fieldsOf = (name: string) => page.getByRole('group', { name }).getByRole('textbox');
  await fieldsOf('Write messages').waitFor();
  expect(await fieldsOf('Add members').count()).toBe(0);
  await goTo(person, `#channels/${id}/subscribers`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Dan Brooks' }).first().waitFor();
  expect(await main.getByLabel('Add people by name').count()).toBe(0);
  expectCalm(person);
  await person.context.close();
});

test('people are found on the right, with what they do, and written to from their card', async () => {
  await network.eve.call(updateOwnStatus, { status_text: 'Watering' });
  const { page, context } = await people.open(network.dan);
  const right = page.getByRole('complementary');
  await right.getByText('Watering').waitFor();
  await page.keyboard.press('q');
  await page.keyboard.type('cast');
  await right.getByRole('button', { name: 'Actions for Eve Castillo' }).click();
  const card = page.getByRole('dialog', { name: 'Eve Castillo' });
  await card.getByText('Watering').waitFor();
  await card.getByRole('button', { name: 'Write a direct message' }).click();
  await page.waitForURL(`**/#narrow/dm/${network.eve.userId}`);
  await context.close();
});

test('in an archived channel nothing is offered that would change a message', async () => {
  const { dan, eve } = network;
  const { id } = await dan.call(createChannel, { name: 'finished', subscribers: [dan.userId, eve.userId] });
  const post = (content: string) => eve.call(sendMessage, { type: 'channel', to: id, topic: 'end', content });
  const { id: message_id } = await post('That was it.');
  await post('/poll Again?\nYes');
  await eve.call(addReaction, { message_id, emoji_name: 'tada' });
  const person = await people.open(dan, `#narrow/channel/${id}-finished/topic/end`);
  const { page } = person;
  const vote = page.getByRole('button', { name: /^Vote for Yes/ });
  const reaction = page.getByRole('button', { name: /tada/ });
  for (const each of [vote, reaction]) await each.and(page.locator(':enabled')).waitFor();
  await dan.call(archiveChannel, { stream_id: id });
  for (const each of [vote, reaction]) await each.and(page.locator(':disabled')).waitFor();
  await messageWith(page, 'That was it').hover();
  await messageWith(page, 'That was it').getByRole('button', { name: 'More actions' }).click();
  expect(await page.getByRole('menuitem', { name: 'Mark as unread from here' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Add a reaction' }).count()).toBe(0);
  await goTo(person, '#recent');
  await page.getByRole('button', { name: 'Actions for end' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy link']);
  expectCalm(person);
  await person.context.close();
});

test('a guest who sees only whom they meet is suggested nobody else, and asked for nothing that is refused', async () => {
  const { iris, dan, eve, faye } = network;
  const { realm_user_groups: groups } = await iris.call(registerQueue, { fetch_event_types: ['realm_user_groups'] });
  const showAllTo = (role: string) => {
    const group = (groups as { id: number; name: string }[]).find(({ name }) => name === role);
    return iris.call(updateRealm, { can_access_all_users_group: { new: group?.id as number } });
  };
  await showAllTo('role:members');
  const subscribers = [dan, eve, faye].map(({ userId }) => userId);
  const { id } = await dan.call(createChannel, { name: 'customers', subscribers, invite_only: true });
  await eve.call(sendMessage, { type: 'channel', to: id, topic: 'hello', content: 'I only passed by.' });
  await eve.call(unsubscribe, { subscriptions: ['customers'] });
  await faye.call(unsubscribe, { subscriptions: ['general', 'sandbox', 'tips'] });
  await faye.call(updateUserSettings, { default_language: 'en' });
  await network.settle();
  const guest = await people.open(faye, `#narrow/channel/${id}-customers/topic/hello`);
  const { page } = guest;
  await messageWith(page, 'passed by').getByRole('button', { name: 'Unknown user' }).first().click();
  const card = page.getByRole('dialog', { name: 'Unknown user' });
  expect(await card.getByRole('button').allInnerTexts()).toEqual(['Show all their messages']);
  await card.locator('img').evaluate((picture: { decode(): Promise<void> }) => picture.decode());
  await page.keyboard.press('Escape');
  await writingField(page).fill('Hello ');
  await page.keyboard.type('@');
  await page.getByRole('option', { name: 'Dan Brooks' }).waitFor();
  expect(await page.getByRole('option', { name: 'Unknown user' }).count()).toBe(0);
  await iris.call(createGroup, { name: 'visitors', description: '', members: [faye.userId] });
  await goTo(guest, '#groups');
  await page.getByRole('link', { name: 'visitors' }).first().waitFor();
  expect(await page.getByRole('button', { name: /^Leave/ }).count()).toBe(0);
  expectCalm(guest);
  await guest.context.close();
  await showAllTo('role:everyone');
});

test('a name that is cut is shown whole beside the pointer', async () => {
  const [long, short] = ['a channel with a name that is as long as names of channels are', 'short'];
  for (const name of [long, short]) {
    await network.iris.call(createChannel, { name: name.slice(0, 60), subscribers: [network.dan.userId] });
  }
  const { page, context } = await people.open(network.dan);
  const nameOf = (name: string) => page.getByRole('navigation').locator('.label', { hasText: name });
  await nameOf(long.slice(0, 60)).hover();
  expect(await nameOf(long.slice(0, 60)).getAttribute('title')).toBe(long.slice(0, 60));
  await nameOf(short).hover();
  expect(await nameOf(short).getAttribute('title')).toBeNull();
  await context.close();
});

test('on a phone the left side is a drawer that closes when one goes somewhere', async () => {
  const { page, context } = await people.open(network.dan, '', { viewport: { width: 390, height: 780 } });
  const left = page.getByRole('navigation', { name: 'Views and channels' });
  expect(await left.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await left.getByRole('link', { name: /garden/ }).click();
  await left.waitFor({ state: 'hidden' });
  await page
    .getByRole('heading', { name: /garden/ })
    .first()
    .waitFor();
  await context.close();
});

test('what is opened in a moment without a network comes when there is one', async () => {
  const somebody = await people.open(network.eve, '#narrow/channel/1-general/topic/lunch');
  const { page, context } = somebody;
  const main = page.getByRole('main');
  await writingField(page).waitFor();
  // Firefox would not ask again for a module that did not come: only what has come is imported.
  const missing: string[] = [];
  page.on('requestfailed', (request) => missing.push(request.resourceType()));
  await context.setOffline(true);
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Emoji' }).click();
  await page.getByText('The server does not answer. Try again in a moment.').waitFor();
  await goTo(somebody, '#settings/profile');
  await main.getByText('There is no connection.').waitFor();
  await context.setOffline(false);
  await main.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  // With its styles.
  await page.waitForFunction(() => {
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { querySelector(name: string): unknown };
      getComputedStyle(element: unknown): { display: string };
    };
    return getComputedStyle(document.querySelector('.settings')).display === 'grid';
  });
  await goTo(somebody, '#narrow/channel/1-general/topic/lunch');
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Emoji' }).click();
  await page
    .getByRole('textbox', { name: 'Search emoji' })
    .or(page.getByRole('searchbox', { name: 'Search emoji' }))
    .waitFor();
  expect(missing).toContain('fetch');
  expect(missing).not.toContain('script');
});

test('a page whose first script does not come says so, and comes when it is loaded again', async () => {
  const { page, context } = await people.open(network.eve);
  await page.route(/\/web\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  const again = page.getByRole('link', { name: 'load the page again' });
  await again.waitFor();
  await page.unrouteAll();
  await again.click();
  await page.getByRole('main').waitFor();
  expect(await again.count()).toBe(0);
  await context.close();
});

test('code of an older release that is gone asks for loading the page anew', async () => {
  const somebody = await people.open(network.eve, '#narrow/channel/1-general/topic/lunch');
  const { page, context } = somebody;
  await writingField(page).waitFor();
  await page.route(/\/web\/assets\/.*\.js$/, (route) => route.fulfill({ status: 404 }));
  const newer = '<!doctype html><script type="module" src="/web/assets/newer.js"></script>';
  await page.route(/\/$/, (route) => route.fulfill({ contentType: 'text/html', body: newer }));
  await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('status').getByRole('button', { name: 'Load it' }).waitFor();
  await goTo(somebody, '#settings/profile');
  await page.getByRole('main').locator('p.notice').getByText('There is a newer version.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Load it' }).click();
  await page.getByRole('main').getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await context.close();
});

// The last one: the organization has many people afterwards.
test('all people of a large channel are chosen with the buttons of the last of them, and more when asked for', async () => {
  await network.realmService.fillRealm(newCall(), { subdomain: '', users: 150, channels: 1, groups: 1, seed: 1 });
  const { members } = await network.iris.call(listUsers, {});
  const subscribers = members
    .filter(({ is_bot: isBot, is_active: isActive }) => isActive && !isBot)
    .map(({ user_id: id }) => id);
  await network.iris.call(createChannel, { name: 'orchard', subscribers });
  const { page, context } = await people.open(network.iris, '#channels/new');
  await page.getByLabel('Add a group or the people of a channel').selectOption({ label: 'Everybody in #orchard' });
  const chosen = page.getByRole('main').getByRole('button', { name: /^Remove / });
  const more = page.getByRole('main').getByRole('button', { name: `${subscribers.length - 50} more`, exact: true });
  await more.waitFor();
  expect(await chosen.count()).toBe(50);
  await more.click();
  await more.waitFor({ state: 'detached' });
  expect(await chosen.count()).toBe(subscribers.length);
  await context.close();
});
