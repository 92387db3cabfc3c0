import { silentLogger } from '../observability';
import { createTestAuthority, type TestAuthority } from '../testing';
import { connectRpc } from './client';
import { explainAbsence } from './explain-absence';
import { askHealth } from './health';
import { serve } from './serve';
import type { TlsFiles } from './tls';

let authority: TestAuthority;
let other: TestAuthority;
beforeAll(async () => {
  [authority, other] = await Promise.all([createTestAuthority(), createTestAuthority('other authority')]);
});
afterAll(() => {
  authority.remove();
  other.remove();
});

/** The result for a caller with these certificates, and realm with those. */
async function found(caller: TlsFiles | undefined, realm: TlsFiles | undefined) {
  const address = { service: 'realm', address: '127.0.0.1:0' } as const;
  const server = await serve({ ...address, implementation: {} as never, log: silentLogger, tls: realm });
  const connection = connectRpc('realm', server.address, caller);
  try {
    const health = await askHealth(connection, 1_000);
    if (health.isServing) return 'ok';
    const target = { service: 'realm', address: server.address, tls: caller };
    return (await explainAbsence(health.error.details, target)).reason;
  } finally {
    connection.close();
    await server.stop(100);
  }
}

describe('the reason why a service does not answer', () => {
  test('names faults of certificates', async () => {
    const gateway = await authority.issue(['gateway']);
    const realm = await authority.issue(['realm']);
    const stranger = { ...(await other.issue(['gateway'])), caFile: gateway.caFile };
    expect([
      await found(gateway, realm),
      await found(gateway, await authority.issue(['messages'])),
      await found(gateway, await other.issue(['realm'])),
      await found(stranger, realm),
      await found(gateway, undefined),
    ]).toEqual([
      'ok',
      'its certificate names another service',
      'its certificate is of an authority that is not trusted here',
      'it does not accept the certificate of this side',
      'it does not speak TLS',
    ]);
  }, 20_000);

  test.each([
    ['Last error: Error: connect ECONNREFUSED 10.0.0.7:50051', 'away', 'nothing answers at its address'],
    ['Name resolution failed for target dns:realm.parley:50051', 'away', 'its name is not known'],
    ['Deadline exceeded after 1.0s', 'away', 'it does not answer in time'],
    ['Last error: certificate has expired', 'refused', 'its certificate has expired'],
  ])('is given in words, without addresses: %s', async (failure, status, reason) => {
    const target = { service: 'realm', address: '10.0.0.7:50051', tls: undefined };
    expect(await explainAbsence(failure, target)).toEqual({ status, reason });
  });
});
