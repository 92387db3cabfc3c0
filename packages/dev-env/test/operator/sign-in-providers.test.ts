import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchApiKey } from '@parley/gateway/endpoints';
import { runCommand } from '@parley/operator/run-command';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { operatorConfig } from './operator-config';

/** A provider's metadata: the command asks for nothing else. */
const provider = createServer((request, response) => {
  const keys = { keys: [{ kty: 'EC' }] };
  const endpoints = {
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  const described = { issuer, ...endpoints, response_types_supported: ['code'], scopes_supported: ['openid', 'email'] };
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify(request.url === '/keys' ? keys : described));
});

let issuer: string;
let folder: string;
let network: TestNetwork;

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(tmpdir(), 'parley-oidc-'));
  network = await TestNetwork.create({ settings: { OUTGOING_ALLOW: '127.0.0.1' } });
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true });
  await new Promise((resolve) => provider.close(resolve));
});

const oidc = async (line: string) => {
  const words = ['oidc', ...line.split(' '), '--realm', eg.home.subdomain, '--json'];
  return JSON.parse(await runCommand(words, operatorConfig(network)));
};

test('a provider is added with its secret, listed without it, tested and removed', async () => {
  const file = path.join(folder, 'secret');
  await writeFile(file, 'a secret of the provider\n');
  const { id } = await oidc(
    `add --name Acme --issuer ${issuer} --client-id parley --secret-file ${file} --scopes email --roles-claim roles --roles admins=200`,
  );
  const listed = await oidc('list');
  expect(listed).toEqual({
    providers: [
      {
        ...{ id, name: 'Acme', issuer, client_id: 'parley', has_secret: true, scopes: 'openid email' },
        ...{ new_accounts: 'invite_only', keys_end_at: 'deactivation', groups: 0, roles: 1 },
        ...{ callback_path: `/accounts/oidc/${id}/callback`, logout_path: `/accounts/oidc/${id}/logout` },
      },
    ],
  });
  expect(await oidc(`test --id ${id}`)).toMatchObject({ keys: 1, token_endpoint: `${issuer}/token` });
  expect(await oidc(`set --id ${id} --client-id other --new-accounts everyone --roles lords=100`)).toEqual({
    ...{ id, callback_path: `/accounts/oidc/${id}/callback`, logout_path: `/accounts/oidc/${id}/logout` },
  });
  expect((await oidc('list')).providers).toMatchObject([
    { id, name: 'Acme', client_id: 'other', has_secret: true, new_accounts: 'everyone', scopes: 'openid email' },
  ]);
  await expect(oidc('set --id 987654 --client-id other')).rejects.toThrow('there is no provider 987654');
  await expect(oidc(`unlink --email ${network.eve.email}`)).rejects.toThrow('No sign-in provider opens this account');
  await oidc(`remove --id ${id}`);
  expect(await oidc('list')).toEqual({ providers: [] });
  await expect(oidc(`test --id ${id}`)).rejects.toThrow('no such sign-in provider');
});

test('a provider that does not answer, or offers something else, is told of in words', async () => {
  const { id } = await oidc(`add --name Other --issuer ${issuer}/other --client-id parley`);
  await expect(oidc(`test --id ${id}`)).rejects.toThrow('The sign-in provider cannot be reached');
  const { id: unscoped } = await oidc(`add --name Third --issuer ${issuer} --client-id parley --scopes groups`);
  await expect(oidc(`test --id ${unscoped}`)).rejects.toThrow('does not list these scopes: groups');
});

test('rules that make no sense are refused before anything is stored', async () => {
  const add = `add --name Acme --issuer ${issuer} --client-id parley`;
  await expect(oidc(`${add} --groups eng`)).rejects.toThrow('a rule is VALUE=WORD (it is "eng")');
  await expect(oidc(`${add} --groups eng=Nobody`)).rejects.toThrow('there is no group "Nobody"');
  await expect(oidc(`${add} --roles admins=admin`)).rejects.toThrow('a role is a number');
});

test('the operator lets people sign in with passwords again where nobody may', async () => {
  const run = (...words: string[]) =>
    runCommand([...words, '--realm', eg.home.subdomain, '--json'], operatorConfig(network));
  const allow = (who: string) => run('realm', 'set', '--setting', 'password_sign_in', '--value', JSON.stringify(who));
  const account = { username: 'pat@example.com', password: 'nine brown owls at dawn' };
  await run('user', 'create', '--email', account.username, '--name', 'Pat', '--password', account.password);
  await allow('off');
  await network.iris.expectError('PASSWORD_AUTH_DISABLED', fetchApiKey, account);
  await allow('all');
  expect(await network.iris.call(fetchApiKey, account)).toMatchObject({ email: account.username });
});
