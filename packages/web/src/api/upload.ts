import type { DetailedError, HttpResponse, UploadOptions } from 'tus-js-client';
import { ApiError, changeHeaders, NoAnswerError } from './call';

/** As much is sent again at most after an interruption, even where a proxy passes on whole requests only. */
const PART_BYTES = 4 * 1_048_576;
/** Smaller files are sent with the request that begins the upload. */
const SMALL_BYTES = 262_144;
/** A quarter of an hour without a connection; after any progress it begins anew. */
const PAUSES_MS = [0, 1_000, 2_000, 5_000, ...Array<number>(60).fill(15_000)];
/** The server is away, busy, or still writes what an earlier request sent. */
const PASSING = new Set([409, 423, 429]);

/**
 * Sends a file in parts, and goes on after a lost connection. `onProgress` gets the part that was sent, from 0 to 1. Once `signal` is
 * aborted the server forgets the file, and nothing is resolved.
 */
export async function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<{ url: string; filename: string }> {
  const { Upload } = await loadProtocol();
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const options: UploadOptions = {
      endpoint: `${location.origin}/json/tus`,
      metadata: { filename: file.name, filetype: file.type },
      headers: changeHeaders(),
      chunkSize: PART_BYTES,
      uploadDataDuringCreation: file.size <= SMALL_BYTES,
      storeFingerprintForResuming: false,
      retryDelays: PAUSES_MS,
      onShouldRetry: ({ originalResponse: response }) =>
        !response || response.getStatus() >= 500 || PASSING.has(response.getStatus()),
      onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 0),
      onSuccess: ({ lastResponse }) => end(() => resolve(uploaded(lastResponse, upload.url, file))),
      onError: (error) => end(() => reject(reasonOf(error))),
    };
    const upload = new Upload(file, options);
    const goOn = () => void upload.abort().then(() => upload.start());
    const cancel = () => {
      // Without an answer the server forgets it later, by itself.
      upload.abort(true).catch(() => {});
      end(() => reject(signal.reason));
    };
    const end = (settle: () => void) => {
      removeEventListener('online', goOn);
      signal.removeEventListener('abort', cancel);
      settle();
    };
    addEventListener('online', goOn);
    signal.addEventListener('abort', cancel);
    upload.start();
  });
}

/** With the first file only. */
async function loadProtocol(): Promise<typeof import('tus-js-client')> {
  try {
    return await import('tus-js-client');
  } catch (error) {
    throw new NoAnswerError((error as Error).message);
  }
}

/** The answer to the last part may have been lost: then the file is known by the address of its upload. */
function uploaded(last: HttpResponse, address: string | null, { name }: File): { url: string; filename: string } {
  const { url, filename } = jsonOf(last);
  if (typeof url === 'string' && typeof filename === 'string') return { url, filename };
  return { url: (address ?? '').replace(/^.*\/tus\//, '/user_uploads/'), filename: name };
}

/** A proxy may refuse a part with a page of its own. */
function reasonOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (!response) return new NoAnswerError(error.message);
  const { message } = jsonOf(response);
  return typeof message === 'string'
    ? new ApiError(400, 'BAD_REQUEST', message, {})
    : new ApiError(response.getStatus(), '', '', {});
}

function jsonOf(response: HttpResponse): Record<string, unknown> {
  try {
    return JSON.parse(response.getBody());
  } catch {
    return {};
  }
}
