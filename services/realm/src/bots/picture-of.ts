import { type Avatar, makeAvatar } from '../avatars/make-avatar';

/**
 * The picture that is uploaded with a bot; null: none. `check` refuses whatever else is wrong with the request, and several files,
 * before the picture is looked at; that is done before a transaction begins, as it takes its time.
 */
export async function pictureOf(files: readonly Uint8Array[], check: () => Promise<unknown>): Promise<Avatar | null> {
  const [upload] = files;
  if (upload === undefined) return null;
  await check();
  return makeAvatar(upload);
}
