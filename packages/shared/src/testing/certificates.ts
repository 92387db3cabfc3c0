import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { X509Certificate } from '@peculiar/x509';
import type { TlsFiles } from '../rpc';

const KEYS = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

/** Certificates for tests of TLS: new ones for each test, valid for an hour. */
export async function createTestAuthority(name = 'test authority'): Promise<TestAuthority> {
  // Loaded by the tests that need it only.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: KEYS,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  return new TestAuthority(x509, keys, certificate);
}

/** The test's own authority. */
export class TestAuthority {
  readonly #directories: string[] = [];

  constructor(
    private readonly x509: typeof import('@peculiar/x509'),
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly certificate: X509Certificate,
  ) {}

  /** A certificate with all of these names, as files in a new directory. */
  async issue(names: readonly string[]): Promise<TlsFiles> {
    const directory = mkdtempSync(path.join(tmpdir(), 'parley-tls-'));
    this.#directories.push(directory);
    const [certFile, keyFile, caFile] = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => path.join(directory, file));
    const files = { certFile, keyFile, caFile } as TlsFiles;
    await this.replace(files, names);
    return files;
  }

  /** Replaces a certificate and key in files that this or another authority has created before. */
  async replace(files: TlsFiles, names: readonly string[]): Promise<void> {
    const { X509CertificateGenerator, SubjectAlternativeNameExtension, PemConverter } = this.x509;
    const own = await newKeys();
    const issued = await X509CertificateGenerator.create({
      ...validity(),
      subject: `CN=${names[0]}`,
      issuer: this.certificate.subject,
      publicKey: own.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: KEYS,
      extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
    });
    const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey));
    writeFileSync(files.keyFile, PemConverter.encode(key, 'PRIVATE KEY'));
    writeFileSync(files.certFile, issued.toString('pem'));
    writeFileSync(files.caFile, this.certificate.toString('pem'));
  }

  remove(): void {
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true });
  }
}

function newKeys() {
  return webcrypto.subtle.generateKey(KEYS, true, ['sign', 'verify']);
}

function validity() {
  return { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
}
