import type { RawRequest, TestClient } from '../src';

/** One grey pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

export interface SentFile {
  name: string;
  bytes: Buffer | string;
  /** Absent: text. */
  type?: string;
}

/** A form with a file, and with texts by name. */
export function multipart(
  { name, bytes, type = 'text/plain' }: SentFile,
  texts: Readonly<Record<string, string>> = {},
): Pick<RawRequest, 'headers' | 'body'> {
  const fields = Object.entries(texts).map(
    ([field, text]) => `--B\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`,
  );
  const head = `--B\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([...fields, head, bytes, '\r\n--B--\r\n'].map((part) => Buffer.from(part as string)));
  return { headers: { 'content-type': 'multipart/form-data; boundary=B' }, body };
}

/** Uploads a file; resolves with its address. */
export async function uploadFile(client: TestClient, file: SentFile): Promise<string> {
  const { json } = await client.callRaw({ method: 'POST', path: '/api/v1/user_uploads', ...multipart(file) });
  if (json['result'] !== 'success') throw new Error(`${file.name} was refused: ${JSON.stringify(json)}`);
  return json['url'] as string;
}
