import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../network/chromium';
import { CHART } from './conversations';

const LARGEST_BYTES = 200_000;

interface Look {
  name: string;
  options: BrowserContextOptions;
}

const WIDE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LOOKS: readonly Look[] = [
  { name: 'web-light', options: { ...WIDE, colorScheme: 'light' } },
  { name: 'web-dark', options: { ...WIDE, colorScheme: 'dark' } },
  { name: 'web-phone', options: { ...PHONE, colorScheme: 'light' } },
];

export interface Shown {
  url: string;
  email: string;
  password: string;
  /** The address of the conversation. */
  hash: string;
}

export interface Photographer {
  /** The file uploaded to the demo. */
  drawChart(): Promise<Buffer>;
  /** Writes the pictures to the folder; returns their names and sizes. */
  takeAll(shown: Shown, folder: string): Promise<{ file: string; bytes: number }[]>;
  close(): Promise<void>;
}

export async function hirePhotographer(): Promise<Photographer> {
  const browser = await launchChromium();
  return {
    async drawChart() {
      const page = await browser.newPage({ viewport: { width: 400, height: 96 } });
      await page.setContent(CHART);
      return page.screenshot();
    },
    async takeAll(shown, folder) {
      mkdirSync(folder, { recursive: true });
      const taken: { file: string; bytes: number }[] = [];
      for (const look of LOOKS) taken.push(await take(browser, look, shown, folder));
      return taken;
    },
    close: () => browser.close(),
  };
}

async function take(browser: Browser, { name, options }: Look, shown: Shown, folder: string) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await openConversation(page, shown);
  const picture = await page.screenshot();
  await context.close();
  if (picture.length > LARGEST_BYTES)
    throw new Error(`${name} has ${picture.length} bytes, more than ${LARGEST_BYTES}`);
  const file = path.join(folder, `${name}.png`);
  writeFileSync(file, picture);
  return { file, bytes: picture.length };
}

async function openConversation(page: Page, { url, email, password, hash }: Shown): Promise<void> {
  await page.goto(`${url}/accounts/login?next=${encodeURIComponent(`/${hash}`)}`);
  await page.locator('input[name=username]').first().fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').first().click();
  await page.getByRole('article').first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await page
    .getByRole('article')
    .last()
    .hover({ position: { x: 1, y: 1 } });
  await page.mouse.move(0, 0);
}
