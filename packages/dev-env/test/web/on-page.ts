import type { Locator, Page } from 'playwright-core';
import { EXTERNAL_HOST } from '../../src/network/plan';
import type { WebPerson } from './web-people';

// Locators for the web client's pages, by visible names.

/** The message with this text. */
export const messageWith = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('article').filter({ hasText: text });

/** Where a message to the conversation of the view is written. */
export const writingField = (page: Page): Locator => page.getByRole('textbox', { name: /^Message / });

/** Waits until keys go there: it is on the screen a moment before. */
export const hasFocus = (field: Locator): Promise<void> => field.and(field.page().locator(':focus')).waitFor();

/** Writes a message in the conversation that is open, and sends it with the keyboard. */
export async function write(page: Page, text: string): Promise<void> {
  await writingField(page).fill(text);
  await page.keyboard.press('Control+Enter');
}

/** Goes somewhere within the client, as by a link. */
export async function goTo({ page }: WebPerson, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Presses a button of a message, which are shown when it is pointed at. */
export async function act(message: Locator, button: string): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: button, exact: true }).click();
}

/** Chooses from the menu of a message. */
export async function choose(page: Page, message: Locator, action: string): Promise<void> {
  await act(message, 'More actions');
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Holds for everything that anybody did: nothing was refused or failed, and nothing came from elsewhere. */
export function expectCalm(...people: readonly WebPerson[]): void {
  for (const { complaints, requests } of people) {
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !isOwn(url))).toEqual([]);
  }
}

const isOwn = (url: string) => /^(?:data|blob):/.test(url) || new URL(url).host === EXTERNAL_HOST;
