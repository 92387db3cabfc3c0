import type { Page } from 'playwright-core';

export interface Fault {
  id: string;
  html: string;
}

interface Axe {
  axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** The violations that axe, whose source the page has evaluated, finds in this color scheme. */
export async function faultsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<Fault[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // In the dark only the colors are others.
  const rules = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  const { violations } = await page.evaluate((options) => (globalThis as unknown as Axe).axe.run(options), {
    ...rules,
    resultTypes: ['violations'],
  });
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => ({ id, html })));
}
