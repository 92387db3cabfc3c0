import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS, launchChromium, launchEngine } from '../../src/network/chromium';
import { EXTERNAL_HOST } from '../../src/network/plan';

/** So that a test names what did not come, before its own time is over. */
const PATIENCE_MS = 30_000;

export const HOME = `http://${EXTERNAL_HOST}`;

/** Somebody in front of the web client. */
export interface WebPerson {
  context: BrowserContext;
  page: Page;
  /** Errors in the browser: of scripts, of the page's policy, of requests. */
  complaints: string[];
  /** Every address that was asked for. */
  requests: string[];
}

type Prepare = (context: BrowserContext) => Promise<unknown>;

export interface WebPeople {
  browser: Browser;
  /** Opens the web client as this person, who is signed in already. `prepare` comes before the first page. */
  open(client: TestClient, hash?: string, options?: BrowserContextOptions, prepare?: Prepare): Promise<WebPerson>;
  /** Opens a page as somebody who is not signed in. */
  openSignedOut(path: string, options?: BrowserContextOptions): Promise<WebPerson>;
  close(): Promise<void>;
}

/** A browser in which several people use the network at this address, under the name that its services know. */
export async function webPeopleOf(
  { address, host = EXTERNAL_HOST }: { readonly address: string; readonly host?: string },
  { hasNotifications = false } = {},
): Promise<WebPeople> {
  const resolved = `--host-resolver-rules=MAP ${host} ${address}`;
  // Browsers show notifications of pages that came by TLS, or that are said to be as safe; the engine alone shows none.
  const browser = hasNotifications
    ? await launchChromium([resolved, `--unsafely-treat-insecure-origin-as-secure=http://${host}`])
    : await launchEngine([resolved]);
  const home = `http://${host}`;
  const newContext = (options: BrowserContextOptions) =>
    browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });

  async function openSignedOut(path: string, options: BrowserContextOptions = {}): Promise<WebPerson> {
    const person = await watched(await newContext(options));
    await person.page.goto(`${home}${path}`);
    return person;
  }
  return {
    browser,
    openSignedOut,
    async open(client, hash = '', options = {}, prepare = undefined) {
      const context = await newContext(options);
      await prepare?.(context);
      await context.addCookies(await sessionCookies(client, home));
      const person = await watched(context);
      await person.page.goto(`${home}/${hash}`);
      await person.page.getByRole('main').waitFor();
      return person;
    },
    close: () => browser.close(),
  };
}

/** Of a new session. */
async function sessionCookies({ callRaw, email }: TestClient, url: string) {
  const form = { username: email, without_password: 'true' };
  const { headers } = await callRaw({
    method: 'POST',
    path: '/accounts/login',
    form,
    headers: { authorization: null },
  });
  return (headers['set-cookie'] ?? []).map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return { name, value, url };
  });
}

/** A page of this browser context, whose complaints are written down. */
export async function watched(context: BrowserContext): Promise<WebPerson> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { context, page, complaints, requests };
}

/** A network for the tests of a file, and people who use it in a browser; both are gone after the last one. */
export function beforeTests(take: (made: { network: TestNetwork; people: WebPeople }) => void): void {
  let network: TestNetwork | undefined;
  let people: WebPeople | undefined;
  beforeAll(async () => {
    network = await TestNetwork.create({ settings: { DEV_LOGIN: '1' } });
    people = await webPeopleOf(network);
    take({ network, people });
  }, INSTALLING_MS);
  afterAll(async () => {
    await people?.close();
    await network?.stop();
  });
}
