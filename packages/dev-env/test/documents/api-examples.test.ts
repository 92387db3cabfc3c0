import { mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endpoints, findChannel } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { vapidKeys } from '../away/push-service';
import { mailedKey } from '../mail-folder';
import { type RecordedExample, Recorder } from './api-examples/recorder';
import { showChannelFolders, showChannels, showGroups } from './api-examples/show-channels';
import {
  showCustomizations,
  showFarewell,
  showOrganization,
  showProfiles,
  showProviders,
} from './api-examples/show-organization';
import { showComingAndGoing, showInvitations, showSettings, showUsers } from './api-examples/show-people';
import { showBots, showCalls, showDevices, showEvents } from './api-examples/show-programs';
import { showFiles, showMessages, showUnsent } from './api-examples/show-writing';

const EXAMPLES = path.join(__dirname, '../../../../services/gateway/src/docs-page/examples.json');
const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-examples-'));
const MAILS = path.join(DATA_DIR, 'mail');

/** The order of a story: people leave at its end. */
const PARTS = [
  ...[showMessages, showUnsent, showFiles, showEvents],
  ...[showChannels, showChannelFolders, showGroups],
  ...[showUsers, showBots, showDevices, showCalls],
  ...[showOrganization, showCustomizations, showProviders, showProfiles],
  ...[showInvitations, showComingAndGoing, showSettings, showFarewell],
];

let network: TestNetwork;
beforeAll(async () => {
  await mkdir(MAILS);
  network = await TestNetwork.create({
    settings: { DATA_DIR, DEV_LOGIN: '1', VAPID_PRIVATE_KEY: vapidKeys().VAPID_PRIVATE_KEY },
  });
});
afterAll(async () => {
  await network.stop();
  await rm(DATA_DIR, { recursive: true });
});

test('every operation has an example that equals its answer', async () => {
  const recorder = new Recorder();
  const { stream_id: generalId } = await network.dan.call(findChannel, { stream: 'general' });
  const mailed = (address: string) => mailedKey(MAILS, address);
  for (const show of PARTS) await show({ network, recorder, generalId, now: Date.now(), mailedKey: mailed });

  const recorded = [...recorder.examples.keys()].sort();
  expect(recorded).toEqual(endpoints.map(({ method, path: at }) => `${method} ${at}`).sort());
  if (process.env['RECORD_EXAMPLES']) await record(recorder.examples);
  const stored = storedExamples();
  for (const [operation, { parameters, answer }] of recorder.examples) {
    const { [operation]: kept } = stored;
    // Put right with RECORD_EXAMPLES=1.
    expect([operation, namesOf(kept?.parameters), namesOf(kept?.answer)]).toEqual([
      operation,
      namesOf(parameters),
      namesOf(answer),
    ]);
  }
});

const storedExamples = () => JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Record<string, RecordedExample>;

/** Examples that still have the same members stay as they are, so that only what is new changes. */
async function record(examples: ReadonlyMap<string, RecordedExample>): Promise<void> {
  const stored = storedExamples();
  const shapeOf = ({ parameters, answer }: RecordedExample) => JSON.stringify([namesOf(parameters), namesOf(answer)]);
  const kept = [...examples].map(([operation, example]) => {
    const before = stored[operation];
    return [operation, before && shapeOf(before) === shapeOf(example) ? before : example];
  });
  await writeFile(EXAMPLES, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

const namesOf = (members: object | undefined) => Object.keys(members ?? {}).sort();
