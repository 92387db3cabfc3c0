import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TlsFiles } from '../rpc';

const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

/** An authority of the test's own. */
export interface TestAuthority {
  /** A certificate that names all of them, as files in a directory of their own. */
  issue(names: readonly string[]): Promise<TlsFiles>;
  /** Another certificate and key in the files that another authority, or this one, has made before. */
  replace(files: TlsFiles, names: readonly string[]): Promise<void>;
  remove(): void;
}

/** Certificates for tests of TLS: new ones for each test, valid for an hour. */
export async function createTestAuthority(name = 'test authority'): Promise<TestAuthority> {
  // Loaded by those tests alone that need it.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const directories: string[] = [];
  const keys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: KEYS,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });

  async function write(files: TlsFiles, names: readonly string[]): Promise<void> {
    const own = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(),
      subject: `CN=${names[0]}`,
      issuer: authority.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: KEYS,
      extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
    });
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey));
    writeFileSync(files.keyFile, x509.PemConverter.encode(key, 'PRIVATE KEY'));
    writeFileSync(files.certFile, certificate.toString('pem'));
    writeFileSync(files.caFile, authority.toString('pem'));
  }

  return {
    async issue(names) {
      const directory = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
      directories.push(directory);
      const [certFile, keyFile, caFile] = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => path.join(directory, file));
      const files = { certFile, keyFile, caFile } as TlsFiles;
      await write(files, names);
      return files;
    },
    replace: write,
    remove() {
      for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
    },
  };
}

function newKeys() {
  return webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
}

function validity() {
  return { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
}
