import { endpoints } from '@parley/gateway/endpoints';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { TestNetwork } from '../../src';
import { INSTALLING_MS, launchEngine } from '../../src/network/chromium';
import { faultsOf } from '../accessibility';

let network: TestNetwork;
let browser: Browser;
beforeAll(async () => {
  network = await TestNetwork.create();
  browser = await launchEngine();
}, INSTALLING_MS);
afterAll(async () => {
  await browser?.close();
  await network?.stop();
});

/** The page, with its requests and its console errors. */
async function open(hash = '', javaScriptEnabled = true) {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://${network.address}/docs${hash}`);
  return { page, requests, complaints };
}

const shown = (page: Page) => page.locator('main article:not([hidden])');

describe('the reference at /docs', () => {
  test('lists every operation with an example, and loads nothing from other hosts', async () => {
    const { page, requests, complaints } = await open();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('API reference');
    expect(await page.getByRole('status').textContent()).toBe(`${endpoints.length} operations`);
    const listed = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(listed.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort());
    expect(await page.locator('article .request').count()).toBe(endpoints.length);
    expect(await page.locator('article .answer').count()).toBe(endpoints.length);
    for (const url of requests) expect(url).toMatch(new RegExp(`^(http://${network.address}/docs|data:)`));
    expect(complaints).toEqual([]);
  });

  test('can be searched, and shows an example of the result', async () => {
    const { page } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('post reactions');
    expect(await page.getByRole('status').textContent()).toBe('1 operation');
    expect(await shown(page).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2, name: 'messages' }).count()).toBe(2);
    expect(await page.getByRole('heading', { level: 2, name: 'users' }).count()).toBe(0);
    const article = shown(page).first();
    expect(await article.getByRole('heading', { level: 3 }).textContent()).toBe(
      'POST /messages/{message_id}/reactions',
    );
    expect(await article.locator('.answer').isVisible()).toBe(false);
    await article.locator('summary').click();
    expect(await article.locator('.request').textContent()).toContain(`http://${network.address}/api/v1/messages/`);
    expect(await article.locator('.answer').textContent()).toContain('"result": "success"');
    expect(await article.locator('.answer').isVisible()).toBe(true);
    await page.getByLabel('Search operations').fill('no such thing');
    expect(await shown(page).count()).toBe(0);
  });

  test('shows the fields of each event, with an example', async () => {
    const { page } = await open('#get-events');
    const event = page.locator('#event-stream-update');
    await event.locator('summary').click();
    expect(await event.locator('th code').allTextContents()).toEqual(
      expect.arrayContaining(['op', 'property', 'value']),
    );
    expect(await event.locator('.payload').textContent()).toContain('"op": "update"');
    expect(await page.locator('#event-heartbeat').count()).toBe(1);
  });

  test('is usable with the keyboard only', async () => {
    const { page } = await open();
    const focused = () => page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focused().textContent()).toBe('Skip the list of operations');
    await page.keyboard.press('Enter');
    expect(await focused().getAttribute('id')).toBe('main');
    await page.getByLabel('Search operations').fill('POST /messages send a message');
    await page.keyboard.press('Tab');
    expect(await focused().textContent()).toMatch(/^POST \//);
    await page.keyboard.press('Enter');
    await page.locator('details[open]').first().waitFor();
    expect(await page.locator('details[open]').count()).toBe(1);
  });

  test('opens at an operation that was linked to', async () => {
    const { page } = await open('#get-messages');
    const details = page.locator('#get-messages details');
    expect(await details.getAttribute('open')).not.toBeNull();
    expect(await page.locator('#get-messages').evaluate((article) => article.getBoundingClientRect().top)).toBeLessThan(
      200,
    );
  });

  test('has no fault that a checker of accessibility finds, in light and in dark', async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`http://${network.address}/docs#get-messages`);
    await page.getByLabel('Search operations').fill('messages');
    await page.evaluate(axe.source);
    expect(await faultsOf(page, 'light')).toEqual([]);
    // The checker would walk through all that is hidden again.
    await page.evaluate("document.querySelectorAll('[hidden]').forEach((each) => each.remove())");
    expect(await faultsOf(page, 'dark')).toEqual([]);
  });

  test('can be read without JavaScript', async () => {
    const { page, complaints } = await open('', false);
    expect(await shown(page).count()).toBe(endpoints.length);
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.locator('#get-messages summary').click();
    expect(await page.locator('#get-messages .answer').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('lets nothing else run, and is small on its way', async () => {
    const { headers, text } = await network.dan.callRaw({ method: 'GET', path: '/docs' });
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self'; script-src 'self'; /),
    });
    expect(text).not.toMatch(/<script(?! defer src="\/docs\/script.js"><\/script>)|<style| style=| on\w+="/);
    const response = await fetch(`http://${network.address}/docs`);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(150_000);
    expect(await response.text()).toBe(text);
  });
});
