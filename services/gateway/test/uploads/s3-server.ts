import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Server {
  url: string;
  /** Ids of uploads in parts that were neither completed nor aborted. */
  unfinished(): string[];
  stop(): Promise<void>;
}

/**
 * The part of S3's protocol that the store uses, in memory: objects with ranges, multipart uploads, lists and
 * deletions. Signatures must be present, but are not verified.
 */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<ServerResponse> {
    const url = new URL(req.url as string, 'http://s3');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const body = await buffer(req);
    if (!req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return send(res, 403, fault('AccessDenied'));
    const uploadId = url.searchParams.get('uploadId');
    if (req.method === 'POST' && url.searchParams.has('uploads')) return begin(res);
    if (uploadId !== null)
      return part(req, res, { key, uploadId, number: Number(url.searchParams.get('partNumber')), body });
    if (req.method === 'POST' && url.searchParams.has('delete')) return remove(res, body.toString());
    if (req.method === 'GET' && key === '') return list(res, url.searchParams.get('prefix') ?? '');
    if (req.method === 'PUT') objects.set(key, body);
    return req.method === 'PUT' ? send(res, 200, '', { ETag: '"x"' }) : read(req, res, key);
  }

  function begin(res: ServerResponse): ServerResponse {
    const id = randomUUID();
    uploads.set(id, new Map());
    return send(res, 200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  function part(
    req: IncomingMessage,
    res: ServerResponse,
    sent: { key: string; uploadId: string; number: number; body: Buffer },
  ): ServerResponse {
    const parts = uploads.get(sent.uploadId);
    if (!parts) return send(res, 404, fault('NoSuchUpload'));
    if (req.method === 'PUT') {
      parts.set(sent.number, sent.body);
      return send(res, 200, '', { ETag: `"${sent.number}"` });
    }
    uploads.delete(sent.uploadId);
    if (req.method === 'DELETE') return send(res, 204, '');
    const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
    objects.set(sent.key, Buffer.concat(inOrder));
    return send(res, 200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  }

  function remove(res: ServerResponse, xml: string): ServerResponse {
    for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(key);
    return send(res, 200, '<DeleteResult/>');
  }

  function list(res: ServerResponse, prefix: string): ServerResponse {
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return send(res, 200, `<ListBucketResult>${contents}</ListBucketResult>`);
  }

  function read(req: IncomingMessage, res: ServerResponse, key: string): ServerResponse {
    const object = objects.get(key);
    if (!object) return send(res, 404, fault('NoSuchKey'));
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
    if (start === undefined) return send(res, 200, object);
    return send(res, 206, object.subarray(Number(start), Number(end) + 1));
  }

  const server = http.createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    unfinished: () => [...uploads.keys()],
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const fault = (code: string) => `<Error><Code>${code}</Code></Error>`;

function send(
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): ServerResponse {
  res.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers });
  return res.end(body);
}
