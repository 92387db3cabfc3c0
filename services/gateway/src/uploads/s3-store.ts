import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { DeleteObjectsCommand, GetObjectCommand, ListObjectsV2Command, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { UploadStore } from './upload-store';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Endpoint of a service other than Amazon's. */
  endpoint?: string | undefined;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
}

/** Stores files in a bucket of Amazon's S3 or of a compatible service. */
export function s3Store(settings: S3Settings): UploadStore & { close(): void } {
  const { bucket: Bucket } = settings;
  const client = connect(settings);
  return {
    async put(Key, bytes) {
      const counter = countBytes();
      // Larger files are uploaded in parts, with few in memory at once.
      const upload = new Upload({ client, queueSize: 2, params: { Bucket, Key, Body: counter.stream } });
      bytes.on('error', (error) => counter.stream.destroy(error));
      bytes.pipe(counter.stream);
      try {
        await upload.done();
      } catch (error) {
        // Like pipeline(): otherwise it would wait for a reader for ever.
        bytes.destroy();
        throw error;
      }
      return counter.count();
    },
    async get(Key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await client.send(new GetObjectCommand({ Bucket, Key, Range })).catch(nullIfAbsent);
      return found && (found.Body as Readable);
    },
    async delete(key) {
      await deleteKeys(client, Bucket, [key]);
      for (let keys = await keysBelow(client, Bucket, key); keys.length > 0; ) {
        await deleteKeys(client, Bucket, keys);
        keys = await keysBelow(client, Bucket, key);
      }
    },
    close: () => client.destroy(),
  };
}

function connect({ region, endpoint, accessKeyId, secretAccessKey }: S3Settings): S3Client {
  const credentials = accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {};
  return new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...credentials,
    // Not every compatible service knows Amazon's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function countBytes() {
  let count = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, count: () => count };
}

async function keysBelow(client: S3Client, Bucket: string, key: string): Promise<string[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: `${key}/`, MaxKeys: 1_000 }));
  return Contents.flatMap(({ Key }) => Key ?? []);
}

async function deleteKeys(client: S3Client, Bucket: string, keys: string[]): Promise<void> {
  const Objects = keys.map((Key) => ({ Key }));
  const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  if (Errors[0]) throw new Error(`S3 did not delete ${Errors[0].Key}: ${Errors[0].Code}`);
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof NoSuchKey) return null;
  throw error;
}
