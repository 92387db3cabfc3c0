import { createHash, randomBytes } from 'node:crypto';
import { NonexistentSubdomainError } from '@parley/shared/errors';
import type { NewAccount } from '@parley/shared/proto';
import { connectRpc, newCall, type RpcClient, type TlsFiles } from '@parley/shared/rpc';
import { createLeads } from '../cast/create-leads';
import { eg } from '../cast/eg';
import { type Demo, type DemoUser, demoFile, readDemo, writeDemo } from './demo-file';

const ORGANIZATION = { name: 'Parley Demo', subdomain: '' };
const PEOPLE = [eg.dan, eg.eve, eg.faye];

type Realm = RpcClient<'realm'>;

/** The reason, for people. */
export interface UnknownKeys {
  whyUnknown: string;
}

/**
 * Creates the demo organization, or completes it after an interrupted start. Otherwise explains why the keys of the root domain's
 * organization are unknown.
 */
export async function ensureDemo(
  dataDir: string,
  realmAddress: string,
  tls: TlsFiles | undefined,
): Promise<Demo | UnknownKeys> {
  const { client: realm, close } = connectRpc('realm', realmAddress, tls);
  try {
    const demo = (await doesRealmExist(realm)) ? readDemo(dataDir) : await createRealm(realm, dataDir);
    if (demo === undefined) return { whyUnknown: keysAreMissing(dataDir) };
    if (!(await areKeysGood(realm, demo))) return { whyUnknown: keysAreNotGood(dataDir) };
    return demo.isComplete ? demo : await complete(realm, dataDir, demo);
  } finally {
    close();
  }
}

function keysAreMissing(dataDir: string): string {
  return `There is an organization in the database, but ${demoFile(dataDir)}, where npm start keeps the API keys of one that it makes, is
missing or cannot be read. Either DATA_DIR was emptied or is another one than before, or that file was lost: bring it back.
Or the organization was made otherwise: then nothing is amiss.`;
}

function keysAreNotGood(dataDir: string): string {
  return `The API keys in ${demoFile(dataDir)} are not good for the organization in the database. Either the database is another one than
that file was made with: set DATABASE_URL or DATA_DIR to what they were. Or the keys or accounts were changed since.`;
}

async function doesRealmExist(realm: Realm): Promise<boolean> {
  try {
    await realm.getRealm(newCall(), { subdomain: ORGANIZATION.subdomain });
    return true;
  } catch (error) {
    if (error instanceof NonexistentSubdomainError) return false;
    throw error;
  }
}

async function createRealm(realm: Realm, dataDir: string): Promise<Demo> {
  const { email, fullName, role } = eg.iris;
  const password = `demo-${randomBytes(6).toString('hex')}`;
  const wanted = { ...ORGANIZATION, ownerEmail: email, ownerName: fullName, ownerPassword: password };
  const owner = await realm.createRealm(newCall(), wanted);
  const users = [demoUser(owner, fullName, role)];
  const demo = { realmId: owner.realmId, users, password, isComplete: false, needsConversations: true };
  writeDemo(dataDir, demo);
  return demo;
}

async function areKeysGood(realm: Realm, { users }: Demo): Promise<boolean> {
  const credentials = users.map(({ email, apiKey }) => ({
    subdomain: ORGANIZATION.subdomain,
    email,
    apiKeyHash: createHash('sha256').update(apiKey).digest(),
  }));
  const { results } = await realm.authenticate(newCall(), { credentials });
  return results.every(({ outcome }) => outcome === 'ok');
}

async function complete(realm: Realm, dataDir: string, demo: Demo): Promise<Demo> {
  for (const { email, fullName, role } of PEOPLE) {
    if (demo.users.some((user) => user.fullName === fullName)) continue;
    const password = demo.password === undefined ? {} : { password: demo.password };
    const wanted = { subdomain: ORGANIZATION.subdomain, email, fullName, role, ...password };
    const account = await realm.createUser(newCall(), wanted);
    demo.users.push(demoUser(account, fullName, role));
    writeDemo(dataDir, demo);
  }
  await createLeads(realm, { realmId: demo.realmId, userId: demo.users[0]?.userId as number });
  demo.isComplete = true;
  writeDemo(dataDir, demo);
  return demo;
}

function demoUser({ userId, email, apiKey }: NewAccount, fullName: string, role: number): DemoUser {
  return { fullName, role, userId, email, apiKey };
}
