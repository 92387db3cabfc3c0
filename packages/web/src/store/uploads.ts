import { type Signal, signal } from '@preact/signals';
import { uploadFile } from '../api/upload';
import type { Writing } from './composing';

/** A file that is being uploaded for a text. */
export interface Upload {
  id: number;
  name: string;
  writing: Writing;
  /** From 0 to 1. */
  share: Signal<number>;
  cancel: () => void;
}

/** The server shows a player where these are embedded, and only a link otherwise. */
const SOUND = /\.(?:aac|flac|mp3|wav)$/i;

export const uploads = signal<readonly Upload[]>([]);
let lastId = 0;

export const uploadsOf = (writing: Writing): readonly Upload[] =>
  uploads.value.filter((each) => each.writing === writing);

/**
 * Uploads a file, and puts a link to it where the cursor is now. `placeholder` is there meanwhile. Throws what the upload throws, but
 * not if it was cancelled.
 */
export async function upload(writing: Writing, file: File, placeholder: string): Promise<void> {
  lastId += 1;
  const controller = new AbortController();
  const share = signal(0);
  const own: Upload = { id: lastId, name: file.name, writing, share, cancel: () => controller.abort() };
  uploads.value = [...uploads.value, own];
  writing.insert(`${placeholder} `);
  try {
    const { url, filename } = await uploadFile(file, (part) => (share.value = part), controller.signal);
    exchange(writing, placeholder, `${SOUND.test(url) ? '!' : ''}[${plain(file.name) || filename}](${url})`);
  } catch (error) {
    exchange(writing, `${placeholder} `, '');
    if (!controller.signal.aborted) throw error;
  } finally {
    uploads.value = uploads.value.filter((each) => each !== own);
  }
}

/** The person's own name of the file, of which addresses keep the ASCII only; without signs that would format it. */
const plain = (name: string) =>
  name
    .replace(/[[\]`*\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The cursor stays where it is in the text. Whoever has deleted the placeholder does not want the link. */
function exchange(writing: Writing, placeholder: string, text: string): void {
  const content = writing.content.peek();
  const at = content.indexOf(placeholder);
  if (at < 0) return;
  const { start } = writing.selection.peek();
  const end = at + placeholder.length;
  const cursor = start >= end ? start + text.length - placeholder.length : Math.min(start, at + text.length);
  writing.replace(content.slice(0, at) + text + content.slice(end), cursor);
}
