import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { away, type Finding } from '../health';
import type { TlsFiles } from './tls';

const CONNECT_MS = 500;
/** Codes of a connection that ends after it was established: the server rejects the client's certificate. */
const REFUSAL_MS = 200;

const refused = (reason: string): Finding => ({ status: 'refused', reason });

/** Explanations for operators by the error of a connection; without addresses. */
const WORDS: readonly (readonly [RegExp, Finding])[] = [
  [/CERT_HAS_EXPIRED|certificate has expired/i, refused('its certificate has expired')],
  [/CERT_NOT_YET_VALID|not yet valid/i, refused('its certificate is not valid yet')],
  [/ALTNAME_INVALID|does not match certificate/i, refused('its certificate names another service')],
  [
    /self.signed|SELF_SIGNED|unable to (verify|get)|UNABLE_TO|unknown issuer/i,
    refused('its certificate is of an authority that is not trusted here'),
  ],
  [/wrong version number|packet length too long|EPROTO/i, refused('it does not speak TLS')],
  [/alert|closed after the handshake/i, refused('it does not accept the certificate of this side')],
  [/ECONNREFUSED/, away('nothing answers at its address')],
  [/Name resolution|ENOTFOUND|EAI_AGAIN/, away('its name is not known')],
];

/** Why a service does not answer, in words without internals; `failure` is gRPC's error. */
export async function explainAbsence(
  failure: string,
  target: { service: string; address: string; tls: TlsFiles | undefined },
): Promise<Finding> {
  const said = WORDS.find(([pattern]) => pattern.test(failure))?.[1];
  if (said || target.tls === undefined) return said ?? away('it does not answer in time');
  // gRPC does not say how TLS failed.
  const found = await tryTls(target.service, target.address, target.tls);
  const finding = WORDS.find(([pattern]) => pattern.test(found))?.[1] ?? away('it does not answer in time');
  return finding.status === 'refused' && hasExpired(target.tls)
    ? refused('it does not accept the certificate of this side, which has expired')
    : finding;
}

function hasExpired({ certFile }: TlsFiles): boolean {
  return Date.parse(new X509Certificate(readFileSync(certFile)).validTo) < Date.now();
}

/** Connects like gRPC; returns the error of the connection, or an empty text. */
function tryTls(service: string, address: string, { certFile, keyFile, caFile }: TlsFiles): Promise<string> {
  const [first = ''] = address.split(',');
  const at = first.lastIndexOf(':');
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile), ca: readFileSync(caFile) };
  const place = { host: first.slice(0, at), port: Number(first.slice(at + 1)), servername: service };
  return new Promise((resolve) => {
    const socket = tls.connect({ ...place, ...files, ALPNProtocols: ['h2'] });
    const end = (outcome: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    let timer = setTimeout(end, CONNECT_MS, '');
    let isSecure = false;
    socket.on('secureConnect', () => {
      isSecure = true;
      clearTimeout(timer);
      timer = setTimeout(end, REFUSAL_MS, '');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end(isSecure ? 'closed after the handshake' : `${error.code} ${error.message}`),
    );
    socket.on('close', () => end(isSecure ? 'closed after the handshake' : ''));
  });
}
