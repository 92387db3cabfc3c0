import { runBench } from './base/command';
import { withServers } from './base/servers';
import { LARGE, measureWeb, SMALL } from './web/measure-web';

/**
 * `npm run bench:web`: the web client in headless Chromium, in a small organization and in one with 20,000 people, 2,000 channels and
 * 50,000 unread messages: bytes, the time to the first channel, keystrokes, scrolling, memory, and waking up. Linux only.
 */
runBench(async () => {
  await withServers((servers) => measureWeb(servers, SMALL, false));
  await withServers((servers) => measureWeb(servers, LARGE, true));
});
