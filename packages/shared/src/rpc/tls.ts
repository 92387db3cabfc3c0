import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as grpc from '@grpc/grpc-js';
import { declareGauge, onScrape } from '../observability';

const { createCertificateProviderChannelCredentials, createCertificateProviderServerCredentials } = grpc.experimental;

/** PEM files: this process's certificate, and the authority that it trusts. */
export interface TlsFiles {
  /** Names the service under its own name (`realm`, `messages`, …); with the certificates up to the authority, if there are any between. */
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
  /** How often in a row the files could not be taken. */
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

  /** Existing connections continue; new ones use the files as they are now. */
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

  /** Files that are not whole the next time either are no rotation: once their certificates in use end, so do all calls. */
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

/** One for all connections of the process. Throws when a file is missing, or the key belongs to another certificate. */
function watch<C>(files: TlsFiles, credentialsOf: (provider: WatchedFiles) => C): Held<C> {
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

// Of several, the one that ends first.
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

/** Looks at all files now, without waiting for the next time; for tests. */
export function refreshCertificates(): void {
  for (const { provider } of watched.values()) provider.refresh();
}

function load({ certFile, keyFile, caFile }: TlsFiles): Loaded {
  const loaded = {
    certificate: readFileSync(certFile),
    privateKey: readFileSync(keyFile),
    caCertificate: readFileSync(caFile),
  };
  // Throws when it is no certificate.
  new X509Certificate(loaded.caCertificate);
  const isPair = new X509Certificate(loaded.certificate).checkPrivateKey(createPrivateKey(loaded.privateKey));
  if (!isPair) throw new Error(`the key in ${keyFile} is not that of the certificate in ${certFile}`);
  return loaded;
}

const endsOf = (pem: Buffer): number[] => {
  const certificates = pem.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return certificates.map((each) => Date.parse(new X509Certificate(each).validTo));
};

function isSame(one: Loaded, other: Loaded): boolean {
  return (Object.keys(one) as (keyof Loaded)[]).every((part) => one[part].equals(other[part]));
}

/** What a server or a connection needs as long as it is open. */
export interface Held<Credentials> {
  credentials: Credentials;
  release(): void;
}

/** Callers must show a certificate of the authority. Without files, everyone who reaches the port may call. */
export function serverCredentials(files: TlsFiles | undefined): Held<grpc.ServerCredentials> {
  if (files === undefined) return { credentials: grpc.ServerCredentials.createInsecure(), release() {} };
  return watch(files, (provider) => createCertificateProviderServerCredentials(provider, provider, true));
}

/** The answering service must show a certificate of the authority. */
export function channelCredentials(files: TlsFiles | undefined): Held<grpc.ChannelCredentials> {
  if (files === undefined) return { credentials: grpc.credentials.createInsecure(), release() {} };
  return watch(files, (provider) => createCertificateProviderChannelCredentials(provider, provider));
}
