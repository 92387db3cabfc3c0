import { ApiError, changeHeaders, NoAnswerError } from './call';

/** Sends a file. `onProgress` gets the part that was sent, from 0 to 1: fetch does not tell it, so this is an XMLHttpRequest. */
export function uploadFile(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<{ url: string; filename: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('filename', file, file.name);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { result, msg, code, ...fields } = bodyOf(request);
      if (request.status === 200 && result === 'success') resolve(fields as { url: string; filename: string });
      else reject(new ApiError(request.status, String(code), String(msg ?? request.statusText), fields));
    };
    request.onerror = () => reject(new NoAnswerError('the upload was interrupted'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', '/json/user_uploads');
    for (const [name, value] of Object.entries(changeHeaders())) request.setRequestHeader(name, value);
    request.send(form);
  });
}

/** A proxy may refuse a file with a page of its own. */
function bodyOf({ responseText }: XMLHttpRequest): Record<string, unknown> {
  try {
    return JSON.parse(responseText);
  } catch {
    return {};
  }
}
