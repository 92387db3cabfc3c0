import { findChannel, sendMessage, updateChannel, updateUserSettings } from '@parley/gateway/endpoints';
import type { Locator, Page } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { messageWith } from './on-page';
import { type WebPeople, type WebPerson, webPeopleOf } from './web-people';

// The answer to a change comes before the event about it, here by as long as a test wants.

let network: TestNetwork;
let people: WebPeople;
let channelId: number;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
  people = await webPeopleOf(network);
  ({ stream_id: channelId } = await network.dan.call(findChannel, { stream: 'general' }));
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
});

/** In the page: holds back what comes with events until `pass()`. */
const HOLDABLE = `
  // Without the worker, the page fetches its events itself.
  Reflect.deleteProperty(globalThis, 'SharedWorker');
  const really = globalThis.fetch;
  globalThis.fetch = async (address, init) => {
    const answer = await really(address, init);
    if (String(address).includes('/json/events')) await globalThis.held;
    return answer;
  };
  globalThis.hold = () => {
    globalThis.held = new Promise((pass) => Object.assign(globalThis, { pass }));
  };`;

const open = (client: TestClient, hash: string): Promise<WebPerson> =>
  people.open(client, hash, {}, (context) => context.addInitScript(HOLDABLE));
const hold = (page: Page) => page.evaluate('hold()');
const pass = (page: Page) => page.evaluate('pass()');

/** Options of a closed list are not on the screen. */
const ATTACHED = { state: 'attached' } as const;

/** Waits until the setting of this control is said to be saved. */
const isSaved = (control: Locator) =>
  control.page().locator('.setting').filter({ has: control }).getByRole('status').getByText('Saved').waitFor();

/** Writes down, for each frame from now on, whether the box is checked. */
async function watchStates(box: Locator): Promise<() => Promise<unknown>> {
  const states = await box.evaluateHandle((element) => {
    const seen = new Set<boolean>();
    const look = () => {
      seen.add((element as unknown as { checked: boolean }).checked);
      (globalThis as unknown as { requestAnimationFrame: (run: () => void) => void }).requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  return () => states.evaluate((seen) => [...seen]);
}

test('what was chosen or typed stays until the event comes, and then the newest event counts', async () => {
  const { page, context } = await open(network.eve, '#settings/look');
  const hours = page.getByLabel('Show times in 24 hours');
  const theme = page.getByLabel('Theme');
  const size = page.getByLabel('Size of texts');
  await hold(page);
  await hours.check();
  const states = await watchStates(hours);
  await isSaved(hours);
  expect(await hours.isChecked()).toBe(true);
  await pass(page);

  await hold(page);
  await theme.selectOption({ label: 'Dark' });
  await isSaved(theme);
  expect(await theme.locator('option:checked').textContent()).toBe('Dark');
  await pass(page);

  await hold(page);
  await size.fill('20');
  await size.press('Tab');
  await isSaved(size);
  expect(await size.inputValue()).toBe('20');
  await pass(page);

  await page.locator('html[style*="font-size: 20px"][style*="color-scheme: dark"]').waitFor();
  expect(await states()).toEqual([true]);
  await network.eve.call(updateUserSettings, { twenty_four_hour_time: false });
  await page.getByRole('checkbox', { name: 'Show times in 24 hours', checked: false }).waitFor();

  await hold(page);
  await theme.selectOption({ label: 'Light' });
  await isSaved(theme);
  await network.eve.call(updateUserSettings, { color_scheme: 1 });
  await pass(page);
  await theme.locator('option:checked', { hasText: 'Like the system' }).waitFor(ATTACHED);
  await context.close();
});

test('the last of several quick choices stays while the events of the others come', async () => {
  const { page, context } = await open(network.dan, '#settings/look');
  const hours = page.getByRole('checkbox', { name: 'Show times in 24 hours' });
  await hold(page);
  let count = 0;
  const isThird = (url: string) => url.endsWith('/json/settings') && ++count === 3;
  const answered = page.waitForResponse((response) => isThird(response.url()));
  await hours.check();
  await hours.uncheck();
  await hours.check();
  const states = await watchStates(hours);
  await answered;
  await network.dan.call(updateUserSettings, { web_font_size_px: 19 });
  await pass(page);
  await page.locator('html[style*="font-size: 19px"]').waitFor();
  expect(await states()).toEqual([true]);
  await context.close();
});

test('what is not saved goes back to what it was', async () => {
  const { page, context } = await open(network.faye, '#settings/look');
  await page.route('**/json/settings', (route) => route.abort());
  await page.getByRole('checkbox', { name: 'Show times in 24 hours' }).click();
  await page.getByRole('checkbox', { name: 'Show times in 24 hours', checked: false }).waitFor();
  await page.getByLabel('Theme').selectOption({ label: 'Dark' });
  await page.getByLabel('Theme').locator('option:checked', { hasText: 'Like the system' }).waitFor(ATTACHED);
  const size = page.getByLabel('Size of texts');
  const former = await size.inputValue();
  await size.fill('20');
  await size.press('Tab');
  await page.waitForFunction(([field, value]) => (field as unknown as { value: string }).value === value, [
    await size.elementHandle(),
    former,
  ] as const);

  await page.evaluate(`location.hash = '#channels/${channelId}/personal'`);
  await page.route('**/json/users/me/subscriptions/properties', (route) => route.abort());
  await page.getByRole('checkbox', { name: 'Mute the channel' }).click();
  await page.getByRole('checkbox', { name: 'Mute the channel', checked: false }).waitFor();
  await context.close();
});

test('a choice that the server takes for what there was, without an event, is not shown for good', async () => {
  const { page, context } = await open(network.faye, '#settings/look');
  await page.route('**/json/settings', (route) => route.fulfill({ json: { result: 'success', msg: '' } }));
  const hours = page.getByRole('checkbox', { name: 'Show times in 24 hours' });
  await hours.check();
  await isSaved(hours);
  expect(await hours.isChecked()).toBe(true);
  await page.getByRole('checkbox', { name: 'Show times in 24 hours', checked: false }).waitFor();
  await context.close();
});

test('two people who are given a permission one right after the other both have it', async () => {
  const { page, context } = await open(network.iris, '#organization/permissions');
  await hold(page);
  const field = page.getByLabel('Invite people by mail');
  const setting = page.locator('.setting').filter({ has: field });
  for (const name of ['Dan Brooks', 'Eve Castillo']) {
    await field.fill(name);
    await page.getByRole('option', { name }).click();
    await setting.getByRole('button', { name: `Remove: ${name}` }).waitFor();
    await isSaved(field);
  }
  await pass(page);
  await page.reload();
  for (const name of ['Dan Brooks', 'Eve Castillo'])
    await setting.getByRole('button', { name: `Remove: ${name}` }).waitFor();
  await context.close();
});

test("a to-do's check mark stays until its event comes, and goes if it was not taken", async () => {
  await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'todo', content: '/todo Noon\nEat' });
  const { page, context } = await open(network.eve, `#narrow/channel/${channelId}-general/topic/todo`);
  const task = page.getByRole('checkbox', { name: 'Eat' });
  await hold(page);
  await page.route('**/json/submessage', (route) => route.abort(), { times: 1 });
  await task.click();
  await page.getByRole('checkbox', { name: 'Eat', checked: false }).waitFor();

  const answered = page.waitForResponse('**/json/submessage');
  await task.check();
  const states = await watchStates(task);
  await answered;
  await pass(page);
  await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'todo', content: 'After it.' });
  await messageWith(page, 'After it.').waitFor();
  expect(await states()).toEqual([true]);
  await context.close();
});

test('what is added to a poll one right after the other is all there, a vote shows at once, and what could not be added is kept', async () => {
  await network.eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'poll', content: '/poll Where?\nHere' });
  const { page, context } = await open(network.eve, `#narrow/channel/${channelId}-general/topic/poll`);
  const answer = page.getByLabel('Another answer');
  const add = async (text: string) => {
    await answer.fill(text);
    await answer.press('Enter');
  };
  await answer.waitFor();
  await page.route('**/json/submessage', (route) => route.abort(), { times: 1 });
  await add('There');
  await page.waitForFunction(
    (field) => (field as unknown as { value: string }).value === 'There',
    await answer.elementHandle(),
  );
  await hold(page);
  for (const text of ['There', 'Elsewhere']) {
    const answered = page.waitForResponse('**/json/submessage');
    await add(text);
    await answered;
  }
  const vote = page.getByRole('button', { name: /Vote for Here/ });
  await vote.click();
  await page.getByRole('button', { name: 'Vote for Here, which has 1', pressed: true }).waitFor();
  await vote.click();
  await page.getByRole('button', { name: 'Vote for Here, which has 0', pressed: false }).waitFor();
  await pass(page);
  for (const text of ['There', 'Elsewhere'])
    await page.getByRole('button', { name: `Vote for ${text}, which has 0` }).waitFor();
  await context.close();
});

test('how long messages of a channel are kept is chosen in two steps, and goes back if it is not saved', async () => {
  const { page, context } = await open(network.iris, `#channels/${channelId}/general`);
  const kept = page.getByLabel('Messages are deleted after');
  const isShown = (label: string) => kept.locator('option:checked', { hasText: label }).waitFor(ATTACHED);
  const saved = () => page.waitForResponse(`**/json/streams/${channelId}`);
  await page.route(`**/json/streams/${channelId}`, (route) => route.abort(), { times: 1 });
  await kept.selectOption({ label: 'never' });
  await isShown('as in the organization');

  await hold(page);
  await kept.selectOption({ label: 'some days' });
  let answer = saved();
  await page.getByLabel('Days').fill('30');
  await page.getByLabel('Days').press('Tab');
  await answer;
  await page.getByText('Saved').waitFor();
  expect(await page.getByLabel('Days').inputValue()).toBe('30');
  answer = saved();
  await kept.selectOption({ label: 'never' });
  await answer;
  await isShown('never');
  await pass(page);
  await network.iris.call(updateChannel, { stream_id: channelId, message_retention_days: 'realm_default' });
  await isShown('as in the organization');
  await context.close();
});

test('a new folder that is given up leaves the channel in the folder that is shown', async () => {
  const { page, context } = await open(network.iris, `#channels/${channelId}/general`);
  await page.getByLabel('Folder').selectOption({ label: 'New folder …' });
  await page.getByRole('dialog', { name: 'New folder …' }).getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Folder').locator('option:checked', { hasText: 'In no folder' }).waitFor(ATTACHED);
  await context.close();
});
