import { runCommand } from '@parley/operator/run-command';
import type { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { operatorConfig } from '../operator/operator-config';

export interface ScimAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect.
  json: any;
}

/** Makes a token for the network's first organization with the operator's command. */
export async function newScimToken(network: TestNetwork): Promise<{ token: string; token_id: number }> {
  const words = ['scim', 'token', 'create', '--realm', eg.home.subdomain, '--name', 'Test', '--json'];
  return JSON.parse(await runCommand(words, operatorConfig(network)));
}

/** Requests of an identity provider with that token. */
export function scimRequests({ dan }: TestNetwork, token: string) {
  return async (method: string, path: string, body?: object): Promise<ScimAnswer> => {
    const { status, text } = await dan.callRaw({
      ...{ method, path: `/scim/v2${path}` },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status, json: text === '' ? undefined : JSON.parse(text) };
  };
}
