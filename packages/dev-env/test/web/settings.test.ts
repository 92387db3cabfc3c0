import { deleteMessage, editMessage, sendMessage, updateRealm, updateUserSettings } from '@parley/gateway/endpoints';
import type { BrowserContext, Page } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { HOME, type WebPeople, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network, { hasNotifications: true });
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
});

test('what somebody changes of the look is seen at once, in all their windows, and kept', async () => {
  const { page, context, complaints } = await people.open(network.dan, '#settings/look');
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByLabel('Theme').selectOption({ label: 'Dark' });
  await page.getByLabel('Size of texts').fill('20');
  await page.getByLabel('Size of texts').press('Tab');
  const isLarge = 'html[style*="font-size: 20px"]';
  for (const window of [page, other]) {
    await window.locator(`${isLarge}[style*="color-scheme: dark"]`).waitFor();
  }
  const ground = () => other.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await ground()).toBe('rgb(23, 27, 34)');
  await page.reload();
  await page.locator(isLarge).waitFor();
  await page.getByLabel('Theme').selectOption({ label: 'Light' });
  await other.emulateMedia({ colorScheme: 'dark' });
  await other.locator('html[style*="color-scheme: light;"]').waitFor();
  expect(await ground()).toBe('rgb(255, 255, 255)');
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' });
  await page.getByRole('heading', { name: 'Aussehen und Verhalten' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('whether times have 24 hours is changed in one window, and seen at once in the others', async () => {
  await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'clock', content: 'How late is it?' });
  const { page, context } = await people.open(network.eve, '#settings/look');
  const other = await context.newPage();
  await other.goto(`${new URL(page.url()).origin}/#feed`);
  const time = other.getByRole('article').filter({ hasText: 'How late is it?' }).getByRole('time');
  await time.filter({ hasText: /[AP]M$/ }).waitFor();
  await page.getByLabel('Show times in 24 hours').check();
  await time.filter({ hasText: /^\d{2}:\d{2}$/ }).waitFor();
  await page.getByLabel('Show times in 24 hours').uncheck();
  await time.filter({ hasText: /[AP]M$/ }).waitFor();
  await context.close();
});

test('an administrator changes a setting and a permission of the organization; others read them only, and see them change', async () => {
  const iris = await people.open(network.iris, '#organization/messages');
  const eve = await people.open(network.eve, '#organization/messages');
  await eve.page.getByText('Administrators change these settings.').waitFor();
  const name = 'People may edit their messages';
  expect(await eve.page.getByLabel(name).isDisabled()).toBe(true);
  await iris.page.getByLabel(name).uncheck();
  await eve.page.getByRole('checkbox', { name, checked: false }).waitFor();

  for (const { page } of [iris, eve]) await page.getByRole('link', { name: 'Permissions' }).click();
  await iris.page.getByLabel('Invite people by mail').fill('dan');
  await iris.page.getByRole('option', { name: /Dan Brooks/ }).click();
  await eve.page.getByRole('main').getByText('Dan Brooks').waitFor();
  expect([...iris.complaints, ...eve.complaints]).toEqual([]);
  for (const { context } of [iris, eve]) await context.close();
});

test('a form says what the server has against it, and keeps what was written', async () => {
  const { page, context } = await people.open(network.iris, '#organization/links');
  await page.getByRole('button', { name: 'Add a linkifier' }).click();
  await page.getByLabel('Pattern').fill('T(?P<id>[0-9]+');
  await page.getByLabel('Template of the address').fill('https://tickets.example.org/{id}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Pattern').fill('T(?P<id>[0-9]+)');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('listitem').getByText('https://tickets.example.org/{id}').waitFor();
  await context.close();
});

test('a form says what it has against its values itself, and does nothing then', async () => {
  const { page, context, complaints } = await people.open(network.iris, '#settings/bots');
  await page.getByRole('button', { name: 'New bot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Caller');
  await dialog.getByLabel('Short name').fill('caller');
  await dialog.getByLabel('Kind').selectOption({ label: 'Outgoing webhook' });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'needs an address that is called' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${HOME}/#organization/profile`);
  await page.getByRole('button', { name: 'Close the organization' }).click();
  await dialog.getByRole('textbox').fill('Something else');
  await dialog.getByRole('button', { name: 'Close the organization' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'That is not the name of the organization.' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('what the server has against something is said in the person’s language, of each address that is not invited as well', async () => {
  await network.iris.call(updateUserSettings, { default_language: 'de' });
  const { page, context } = await people.open(network.iris, '#organization/links');
  await page.getByRole('button', { name: 'Automatischen Link hinzufügen' }).click();
  await page.getByLabel('Muster').fill('T(?P<id>[0-9]+)');
  await page.getByLabel('Vorlage der Adresse').fill('{');
  await page.getByRole('button', { name: 'Speichern' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').filter({ hasText: 'Diese Vorlage einer Adresse geht nicht.' }).waitFor();
  await page.goto(`${HOME}/#organization/invitations`);
  await page.reload();
  await page.getByRole('button', { name: 'Per Mail einladen' }).click();
  await page.getByLabel('E-Mail-Adressen').fill(`nobody, ${network.eve.email}, new@example.org`);
  await dialog.getByRole('button', { name: 'Einladen' }).click();
  expect((await dialog.getByRole('alert').innerText()).split('\n')).toEqual([
    'Einige Adressen gehen nicht, deshalb wurde niemand eingeladen:',
    'nobody: Das ist keine gültige Adresse.',
    `${network.eve.email}: Mit dieser Adresse gibt es schon ein Konto.`,
  ]);
  await network.iris.call(updateUserSettings, { default_language: 'en' });
  await context.close();
});

test('the link of the message about a data export leads to the exports', async () => {
  const { page, context } = await people.open(network.iris, '#organization/data-exports-admin');
  await page.getByRole('heading', { level: 1, name: 'Exports', exact: true }).waitFor();
  await context.close();
});

test('an archive of a data export is made, and deleted', async () => {
  const { page, context } = await people.open(network.iris, '#organization/exports');
  await page.getByRole('button', { name: 'New export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  const made = page.getByRole('listitem').filter({ hasText: 'Iris Abara' });
  await made.filter({ hasText: 'Ready' }).waitFor();
  await made.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await made.filter({ hasText: 'Deleted' }).waitFor();
  await made.getByRole('link', { name: 'Download' }).waitFor({ state: 'detached' });
  await context.close();
});

test('somebody ends all their other sessions, and those windows are signed out', async () => {
  const here = await people.open(network.faye, '#settings/keys');
  const elsewhere = await people.open(network.faye);
  await here.page.reload();
  await here.page.getByRole('button', { name: 'End all others' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
  await elsewhere.page.waitForURL('**/accounts/login*');
  await here.page.getByText('this one').waitFor();
  for (const { context } of [here, elsewhere]) await context.close();
});

/** The browser's own notifications, which tests can neither see nor click: on the page's root, for the test to read. */
const RECORDED = `
  const record = (text) => document.documentElement.setAttribute('data-recorded', recorded() + text + '|');
  const recorded = () => document.documentElement.getAttribute('data-recorded') ?? '';
  globalThis.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      globalThis.newest = this;
      this.addEventListener('show', () => record(this.title + ': ' + this.body));
      this.addEventListener('close', () => record('closed ' + this.title));
    }
  };
  HTMLMediaElement.prototype.play = async function () {
    record(this.src.replace(/.*\\/|-.*/g, ''));
  };`;

const isRecorded = (window: Page, text: string) => window.locator(`html[data-recorded*="${text}"]`).waitFor();
const recordedIn = async (window: Page) =>
  ((await window.locator('html').getAttribute('data-recorded')) ?? '').split('|').filter((text) => text !== '');

/** Windows of a person whose browser may show notifications. */
async function openNotified(client: TestClient, count: number): Promise<{ windows: Page[]; context: BrowserContext }> {
  const { page, context } = await people.open(client, '#inbox');
  await context.grantPermissions(['notifications'], { origin: HOME });
  await context.addInitScript(RECORDED);
  const others = await Promise.all(Array.from({ length: count - 1 }, () => context.newPage()));
  await Promise.all(others.map((other) => other.goto(page.url())));
  await page.reload();
  const windows = [page, ...others];
  for (const window of windows) await window.getByRole('main').waitFor();
  return { windows, context };
}

test('of two windows of a person, one notifies of a direct message, with a sound; none of what is before their eyes', async () => {
  const { dan, eve, iris } = network;
  const { windows, context } = await openNotified(eve, 2);
  const isRecordedAnywhere = (text: string) => Promise.any(windows.map((window) => isRecorded(window, text)));
  const recorded = async () => (await Promise.all(windows.map(recordedIn))).flat();

  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Lunch **now**?' });
  await Promise.all(['chime', 'Lunch'].map(isRecordedAnywhere));
  expect((await recorded()).sort()).toEqual(['Dan Brooks: Lunch now?', 'chime']);

  const other = windows[1] as Page;
  await other.bringToFront();
  await other
    .getByRole('main')
    .getByRole('link', { name: /Dan Brooks/ })
    .click();
  await other.getByRole('article').getByText('Lunch').waitFor();
  await isRecordedAnywhere('closed Dan Brooks');
  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'At noon.' });
  await other.getByRole('article').getByText('At noon.').waitFor();
  await iris.call(sendMessage, { type: 'direct', to: [eve.userId], content: '/me is late' });
  await isRecordedAnywhere('late');
  const texts = (await recorded()).filter((text) => text.includes(':')).sort();
  expect(texts).toEqual(['Dan Brooks: Lunch now?', 'Iris Abara: Iris Abara is late']);
  await context.close();
});

test('who looks at their mentions or stars is notified of other messages', async () => {
  const { dan, eve } = network;
  const { windows, context } = await openNotified(eve, 1);
  const [page] = windows as [Page];
  await page.bringToFront();
  for (const view of ['mentioned', 'starred']) {
    await page.evaluate(`location.hash = '#narrow/is/${view}'`);
    await page.getByRole('log').waitFor();
    await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: `While ${view}` });
    await isRecorded(page, `While ${view}`);
  }
  await context.close();
});

test('an edit notifies of the mention that it adds, and takes that back with it', async () => {
  const { dan, eve, iris } = network;
  await iris.call(updateRealm, { allow_message_editing: true });
  const { windows, context } = await openNotified(eve, 1);
  const [page] = windows as [Page];
  const to = { type: 'channel', to: 'general', topic: 'plan' } as const;
  const { id } = await dan.call(sendMessage, { ...to, content: 'It is for you.' });
  const edit = (content: string) => dan.call(editMessage, { message_id: id, content });
  await edit('It is for @**Eve Castillo**.');
  await isRecorded(page, 'plan: It is for @Eve Castillo.');
  await edit('It is for @**Eve Castillo** only.');
  await edit('It is for nobody.');
  await isRecorded(page, 'closed Dan Brooks – #general › plan');
  expect((await recordedIn(page)).filter((text) => text.includes('plan:'))).toHaveLength(1);
  await context.close();
});

test('a notification says as much as is wanted, leads to its message, and goes with it', async () => {
  const { dan, eve } = network;
  const { windows, context } = await openNotified(eve, 1);
  const [page] = windows as [Page];
  const inTopic = (content: string) =>
    dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'cake', content });
  const direct = (content: string) => dan.call(sendMessage, { type: 'direct', to: [eve.userId], content });

  await inTopic('Nobody is notified of this.');
  await inTopic('@**Eve Castillo** guess:\n\n```spoiler What is it?\nA cake.\n```');
  await isRecorded(page, 'guess');
  expect((await recordedIn(page)).filter((text) => text.includes(':'))).toEqual([
    expect.stringMatching(/^Dan Brooks – #general › cake: @Eve Castillo guess:\s+What is it\?$/),
  ]);
  await page.evaluate("newest.dispatchEvent(new Event('click'))");
  await page.waitForURL(/topic\/cake\/near\/\d+$/);
  await page.getByRole('article').filter({ hasText: 'guess' }).waitFor();
  await isRecorded(page, 'closed Dan Brooks – #general');
  await page.goto(`${HOME}/#inbox`);

  const set = async (settings: {
    pm_content_in_desktop_notifications?: boolean;
    enable_desktop_notifications?: boolean;
  }) => {
    await eve.call(updateUserSettings, settings);
    // Events of two services may come in any order.
    await network.settle();
  };
  await set({ pm_content_in_desktop_notifications: false });
  const { id } = await direct('A secret.');
  await isRecorded(page, 'Dan Brooks: Home');
  await dan.call(deleteMessage, { message_id: id });
  await isRecorded(page, 'closed Dan Brooks|');

  await eve.call(updateUserSettings, {
    pm_content_in_desktop_notifications: true,
    enable_desktop_notifications: false,
  });
  await direct('Unheard.');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Dan Brooks/ })
    .waitFor();
  await set({ enable_desktop_notifications: true });
  await direct('Heard.');
  await isRecorded(page, 'Dan Brooks: Heard.');
  expect((await recordedIn(page)).filter((text) => /secret|Unheard|Nobody/.test(text))).toEqual([]);
  await context.close();
});
