import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as grpc from '@grpc/grpc-js';
import { ConfigError } from '../errors';
import { declareGauge, onScrape } from '../observability';

const { createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } = grpc.experimental;

/** PEM files: this process's certificate, and the authority that it trusts. */
export interface TlsFiles {
  /** Must name the service (`realm`, `messages`, …); including intermediate certificates, if any. */
  certFile: string;
  keyFile: string;
  caFile: string;
}

interface Loaded {
  certificate: Buffer;
  privateKey: Buffer;
  caCertificate: Buffer;
}

/** How often the files are checked for changes. */
const REFRESH_MS = 10_000;

/** The current content of the files. An incomplete set is ignored: a rotation replaces one file after the other. */
class WatchedFiles implements grpc.experimental.CertificateProvider {
  #loaded: Loaded;
  #timer: NodeJS.Timeout | undefined;
  /** Number of consecutive failures to use the files. */
  #faults = 0;
  readonly #caListeners = new Set<grpc.experimental.CaCertificateUpdateListener>();
  readonly #identityListeners = new Set<grpc.experimental.IdentityCertificateUpdateListener>();

  constructor(private readonly files: TlsFiles) {
    this.#loaded = load(files);
  }

  addCaCertificateListener(listener: grpc.experimental.CaCertificateUpdateListener): void {
    this.#caListeners.add(listener);
    this.#begin();
    process.nextTick(() => listener(this.#loaded));
  }

  removeCaCertificateListener(listener: grpc.experimental.CaCertificateUpdateListener): void {
    this.#caListeners.delete(listener);
    this.#endIfUnused();
  }

  addIdentityCertificateListener(listener: grpc.experimental.IdentityCertificateUpdateListener): void {
    this.#identityListeners.add(listener);
    this.#begin();
    process.nextTick(() => listener(this.#loaded));
  }

  removeIdentityCertificateListener(listener: grpc.experimental.IdentityCertificateUpdateListener): void {
    this.#identityListeners.delete(listener);
    this.#endIfUnused();
  }

  /** Existing connections continue; new ones use the current files. */
  refresh(): void {
    try {
      const loaded = load(this.files);
      this.#faults = 0;
      if (isSame(loaded, this.#loaded)) return;
      this.#loaded = loaded;
    } catch (error) {
      this.#warnOfLasting(error as Error);
      return;
    }
    for (const listener of this.#identityListeners) listener(this.#loaded);
    for (const listener of this.#caListeners) listener(this.#loaded);
  }

  /**
   * Files that are still inconsistent at the next check are no rotation: calls will fail when the current certificates expire.
   */
  #warnOfLasting({ message }: Error): void {
    this.#faults += 1;
    if (this.#faults === 2) process.emitWarning(`new certificates are not taken over: ${message}`);
  }

  /** When the certificates expire, in milliseconds since 1970; a chain expires with the first of its certificates. */
  ends(): { own: number; authority: number } {
    const { certificate, caCertificate } = this.#loaded;
    return { own: Math.min(...endsOf(certificate)), authority: Math.max(...endsOf(caCertificate)) };
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.refresh(), REFRESH_MS).unref();
  }

  #endIfUnused(): void {
    if (this.#caListeners.size + this.#identityListeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface Watch {
  provider: WatchedFiles;
  /** Open servers and connections. */
  users: number;
}

const watched = new Map<string, Watch>();

/** One for all connections of the process. Throws if a file is missing, or the key does not match the certificate. */
function watch<C>(files: TlsFiles, credentialsOf: (provider: WatchedFiles) => C): OpenCredentials<C> {
  const name = JSON.stringify([files.certFile, files.keyFile, files.caFile]);
  const used = watched.get(name) ?? { provider: new WatchedFiles(files), users: 0 };
  watched.set(name, used);
  used.users += 1;
  return {
    credentials: credentialsOf(used.provider),
    release() {
      used.users -= 1;
      if (used.users === 0) watched.delete(name);
    },
  };
}

const ends = declareGauge(
  'parley_certificate_ends_timestamp_seconds',
  'When the certificate ends that this process shows, and when the last authority ends that it believes',
  ['of'],
);

// With several certificates, the first to expire.
onScrape(() => {
  const all = [...watched.values()].map(({ provider }) => provider.ends());
  if (all.length === 0) return [];
  const reading = (of: 'own' | 'authority') => ({
    gauge: ends,
    value: Math.min(...all.map((each) => each[of])) / 1000,
    labels: { of },
  });
  return [reading('own'), reading('authority')];
});

/** Checks all files now, without waiting for the next check; for tests. */
export function refreshCertificates(): void {
  for (const { provider } of watched.values()) provider.refresh();
}

function load({ certFile, keyFile, caFile }: TlsFiles): Loaded {
  const certificate = readAs('TLS_CERT_FILE', certFile, (pem) => new X509Certificate(pem));
  const key = readAs('TLS_KEY_FILE', keyFile, createPrivateKey);
  const authority = readAs('TLS_CA_FILE', caFile, (pem) => new X509Certificate(pem));
  if (!certificate.parsed.checkPrivateKey(key.parsed))
    throw new ConfigError(`the key in ${keyFile} is not that of the certificate in ${certFile}`);
  return { certificate: certificate.pem, privateKey: key.pem, caCertificate: authority.pem };
}

function readAs<Parsed>(
  setting: string,
  file: string,
  parse: (pem: Buffer) => Parsed,
): { pem: Buffer; parsed: Parsed } {
  try {
    const pem = readFileSync(file);
    return { pem, parsed: parse(pem) };
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} cannot be used: ${(error as Error).message}`);
  }
}

const endsOf = (pem: Buffer): number[] => {
  const certificates = pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.map((each) => Date.parse(new X509Certificate(each).validTo));
};

function isSame(one: Loaded, other: Loaded): boolean {
  return (Object.keys(one) as (keyof Loaded)[]).every((part) => one[part].equals(other[part]));
}

/** The certificates of a server or a connection while it is open. */
export interface OpenCredentials<Credentials> {
  credentials: Credentials;
  release(): void;
}

/** Callers must present a certificate of the authority. Without files, everyone who reaches the port may call. */
export function serverCredentials(files: TlsFiles | undefined): OpenCredentials<grpc.ServerCredentials> {
  if (files === undefined) return { credentials: grpc.ServerCredentials.createInsecure(), release() {} };
  return watch(files, (provider) => createCertificateProviderServerCredentials(provider, provider, true));
}

/** The answering service must present a certificate of the authority. */
export function channelCredentials(files: TlsFiles | undefined): OpenCredentials<grpc.ChannelCredentials> {
  if (files === undefined) return { credentials: grpc.credentials.createInsecure(), release() {} };
  return watch(files, (provider) => createCertificateProviderChannelCredentials(provider, provider));
}
