import { Readable } from 'node:stream';
import { PublicError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { truncate } from '@parley/shared/values';
import type { Context } from '../context';
import { abandonUpload } from '../uploads/abandon-upload';
import { finishUpload } from '../uploads/finish-upload';
import { renewedCall } from '../uploads/renewed-call';
import { fileTooLarge, storeFile } from '../uploads/store-file';
import type { ParsedAttachment, ParsedMail } from './parse-program';

type Needed = Pick<Context, 'uploads' | 'services' | 'log'>;

/** The files of a mail, as lines of the message. */
export interface StoredAttachments {
  lines: string[];
  /** To be deleted if the message is refused. */
  pathIds: string[];
}

/** Smaller pictures within the text are logos of signatures. */
const LEAST_EMBEDDED_BYTES = 10 * 1024;
/** Files that mail programs add, and that nobody reads. */
const TECHNICAL = /^(application\/(pgp-signature|(x-)?pkcs7-signature)|message\/delivery-status|text\/rfc822-headers)$/;
const NAMES: Readonly<Record<string, string>> = { 'message/rfc822': 'mail.eml', 'text/calendar': 'invitation.ics' };
const MAX_SHOWN_NAME_LENGTH = 60;

/** Uploads the files like files of the API, with the same quotas; those that are refused are named with the reason. */
export async function storeAttachments(ctx: Needed, call: Caller, mail: ParsedMail): Promise<StoredAttachments> {
  const stored: StoredAttachments = { lines: [], pathIds: [] };
  try {
    for (const attachment of mail.attachments.filter(isWorthKeeping)) {
      stored.lines.push(await storeOne(ctx, renewedCall(call), attachment, stored.pathIds));
    }
  } catch (error) {
    await abandonAttachments(ctx, call, stored);
    throw error;
  }
  if (mail.droppedAttachments > 0) stored.lines.push(`*(${mail.droppedAttachments} more files were left out.)*`);
  return stored;
}

/** To be called when the message was not sent. */
export async function abandonAttachments(ctx: Needed, call: Caller, { pathIds }: StoredAttachments): Promise<void> {
  for (const pathId of pathIds) await abandonUpload(ctx, call, pathId);
}

function isWorthKeeping({ contentType, isEmbedded, content }: ParsedAttachment): boolean {
  return !TECHNICAL.test(contentType) && !(isEmbedded && content.length < LEAST_EMBEDDED_BYTES);
}

/** A link to the file, or why there is none. */
async function storeOne(
  ctx: Needed,
  call: Caller,
  { name, contentType, content }: ParsedAttachment,
  pathIds: string[],
): Promise<string> {
  const filename = name || NAMES[contentType];
  const shown = shownName(filename ?? 'file');
  try {
    if (content.length > ctx.uploads.maxBytes) throw fileTooLarge(ctx.uploads.maxBytes);
    const file = await storeFile(ctx, call, Readable.from([Buffer.from(content.buffer)]), {
      filename,
      mimeType: contentType,
    });
    pathIds.push(file.pathId);
    await finishUpload(ctx, call, file);
    return `[${shown}](/user_uploads/${file.pathId})`;
  } catch (error) {
    if (!(error instanceof PublicError) || error.httpStatus >= 500) throw error;
    return `*(${shown} was left out: ${error.message})*`;
  }
}

/** A name without what would end the link, or emphasis. */
function shownName(name: string): string {
  return truncate(name.replace(/[\p{Cc}\p{Cs}[\]()*_`\s]+/gu, ' ').trim() || 'file', MAX_SHOWN_NAME_LENGTH, '…');
}
