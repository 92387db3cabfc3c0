import { Pool } from 'undici';
import { type LoadResult, load } from './load';

export interface SendTarget {
  /** `http://host:port`. */
  baseUrl: string;
  path: string;
  authorization?: string;
  /** Form fields beside the content. */
  fields: Record<string, string>;
}

const CONTENT = 'The quick brown fox jumps over the lazy dog, again and again and again.';

/** Sends messages from `concurrency` senders, each waiting for its answer; every answer must be a success. */
export async function sendLoad(target: SendTarget, concurrency: number, measureMs = 2_000): Promise<LoadResult> {
  const pool = new Pool(target.baseUrl, { connections: concurrency, pipelining: 1 });
  const body = new URLSearchParams({ ...target.fields, content: CONTENT }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(target.authorization ? { authorization: target.authorization } : {}),
  };
  const send = async () => {
    const answer = await pool.request({ method: 'POST', path: target.path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`a send was answered with ${answer.statusCode}: ${text}`);
  };
  try {
    return await load(send, { concurrency, warmUpMs: 1_000, measureMs });
  } finally {
    await pool.close();
  }
}
