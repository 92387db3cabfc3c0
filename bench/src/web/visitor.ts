import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

const VIEWPORT = { width: 1280, height: 800 };
const PATIENCE_MS = 60_000;

/** Somebody who uses the web client in a browser of its own, with an empty cache. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
}

export async function visit(browser: Browser): Promise<Visitor> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  // Threads' own time: what the machine does besides does not count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { context, page, cdp };
}

/** Signs in on the page, as a deployment for development allows; resolves when a message of the place is on the screen, with the time since. */
export async function signIn({ page }: Visitor, baseUrl: string, email: string, hash: string): Promise<number> {
  await page.goto(`${baseUrl}/accounts/login?next=${encodeURIComponent(`/${hash}`)}`);
  const button = page.locator('button[name=without_password]');
  const form = page.locator('form', { has: button });
  await form.locator('input[name=username]').fill(email);
  const begunAt = performance.now();
  await button.click();
  await page.locator('article.message').first().waitFor();
  return performance.now() - begunAt;
}

/** Milliseconds that the page's main thread has worked so far. */
export async function mainThreadMs({ cdp }: Visitor): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Of the page, without garbage. */
export async function heapMb({ cdp }: Visitor): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
