import { sendMessage } from '@parley/gateway/endpoints';
import type { Browser } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS, launchBrowser, newPage } from '../browser';

let network: TestNetwork;
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
}, INSTALLING_MS);
afterAll(async () => {
  await browser?.close();
  await network?.stop();
});

test('a formula is set with the fonts of the release, which nobody loads before; nothing comes from other hosts', async () => {
  const { dan, eve, address } = network;
  const { page, requests, complaints } = await newPage(browser);
  await page.goto(`http://${address}/`);
  const form = page.locator('form', { hasText: 'without a password' });
  await form.getByRole('textbox').fill(eve.email);
  await form.getByRole('button').click();
  const isOfFormulas = (url: string) => /katex/i.test(url);
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' });
  await page.getByRole('main').getByRole('link', { name: /lunch/ }).click();
  await page.getByText('Soup?').waitFor();
  expect(requests.filter(isOfFormulas)).toEqual([]);

  const content = 'It is $$e^{i\\pi}$$ again.';
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content });
  const formula = page.locator('.katex');
  await formula.waitFor();
  await page.waitForFunction(
    "[...document.fonts].some(({ family, status }) => family === 'KaTeX_Math' && status === 'loaded')",
  );
  // Seen by screen readers, with the source for those who copy it.
  expect(await formula.locator('math annotation').textContent()).toBe('e^{i\\pi}');
  const isForReadersOnly = "getComputedStyle(document.querySelector('.katex-mathml')).position === 'absolute'";
  expect(await page.evaluate(isForReadersOnly)).toBe(true);
  expect(requests.some((url) => url.endsWith('.woff2'))).toBe(true);
  for (const url of requests) expect(new URL(url).host).toBe(address);
  expect(complaints).toEqual([]);
});
