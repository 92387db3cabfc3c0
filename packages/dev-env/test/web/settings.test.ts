import { sendMessage } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { type WebPeople, webPeopleOf } from './web-people';

let network: TestNetwork;
let people: WebPeople;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network);
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
  await page.reload();
  await page.locator(isLarge).waitFor();
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' });
  await page.getByRole('heading', { name: 'Aussehen und Verhalten' }).waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('whether times have 24 hours is changed in one window, and seen at once in the others', async () => {
  await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'clock', content: 'How late is it?' });
  const { page, context } = await people.open(network.dan, '#settings/look');
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

/** Instead of the browser's, which windows without a screen do not show: on the page's root, for the test to read. */
const RECORDED = `
  const record = (text) => document.documentElement.setAttribute('data-recorded', recorded() + text + '|');
  const recorded = () => document.documentElement.getAttribute('data-recorded') ?? '';
  globalThis.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) {
      record(title + ': ' + body);
    }
    close() {}
  };
  Object.defineProperty(globalThis, 'isSecureContext', { value: true });
  HTMLMediaElement.prototype.play = async function () {
    record(this.src.replace(/.*\\/|-.*/g, ''));
  };`;

test('of two windows of a person, one notifies of a direct message, with a sound; none of what is before their eyes', async () => {
  const { dan, eve, iris } = network;
  const { page, context } = await people.open(eve, '#inbox');
  await context.addInitScript(RECORDED);
  const other = await context.newPage();
  await other.goto(page.url());
  await page.reload();
  const windows = [page, other];
  for (const window of windows) await window.getByRole('main').waitFor();
  const isRecorded = (text: string) =>
    Promise.any(windows.map((window) => window.locator(`html[data-recorded*="${text}"]`).waitFor()));
  const recorded = async () => {
    const lists = await Promise.all(windows.map((window) => window.locator('html').getAttribute('data-recorded')));
    return lists.flatMap((list) => (list ?? '').split('|')).filter((text) => text !== '');
  };

  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Lunch **now**?' });
  await isRecorded('chime');
  expect((await recorded()).sort()).toEqual(['Dan Brooks: Lunch now?', 'chime']);

  await other.bringToFront();
  await other
    .getByRole('main')
    .getByRole('link', { name: /Dan Brooks/ })
    .click();
  await other.getByRole('article').getByText('Lunch').waitFor();
  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'At noon.' });
  await other.getByRole('article').getByText('At noon.').waitFor();
  await iris.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Later?' });
  await isRecorded('Later');
  const texts = (await recorded()).filter((text) => text !== 'chime').sort();
  expect(texts).toEqual(['Dan Brooks: Lunch now?', 'Iris Abara: Later?']);
  await context.close();
});
