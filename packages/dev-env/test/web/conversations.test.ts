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

test('people sign in, read what is unread, and reply', async () => {
  const { dan, eve } = network;
  await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Lunch?' });
  const { page, complaints } = await people.open(dan);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Eve Castillo/ })
    .click();
  await page.getByRole('article').getByText('Lunch?').waitFor();
  await page.getByRole('textbox', { name: /Eve Castillo/ }).fill('At noon.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article').getByText('At noon.').waitFor();
  expect(complaints).toEqual([]);
});
