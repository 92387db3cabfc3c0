import type { MarkdownFacts, MarkdownUpload, Rendered } from '@parley/shared/markdown';
import type { Caller } from '@parley/shared/rpc';
import { channelsOf, loadReader } from '../access/load-reader';
import { type MessagePlace, maySee, type Reader } from '../access/permissions';
import type { Config } from '../config';
import type { Context } from '../context';
import { listByPath, type UploadRow } from './attachment.sql';
import { listPlaces } from './link.sql';

/**
 * The stored files named in a content that its author may read; others are not shown, and linking to
 * them gives nobody access. No query if no file is named; realm is called only for files of others.
 */
export async function findUploads(ctx: Context, author: Caller, pathIds: readonly string[]): Promise<UploadRow[]> {
  const own = pathIds.filter((pathId) => pathId.startsWith(`${author.realmId}/`));
  if (own.length === 0) return [];
  const rows = (await listByPath(ctx.db, author.realmId, own)).filter(({ state }) => state === 'stored');
  const ofOthers = rows.filter(({ ownerId }) => ownerId !== author.userId);
  if (ofOthers.length === 0) return rows;
  const isReadable = await readableAmong(ctx, author, ofOthers);
  return rows.filter((row) => row.ownerId === author.userId || isReadable(row));
}

async function readableAmong(ctx: Context, author: Caller, rows: readonly UploadRow[]) {
  const attachmentIds = rows.map(({ id }) => id);
  const places = await listPlaces(ctx.db, author.realmId, attachmentIds);
  const reader = await loadReader(ctx, author, channelsOf(places));
  return ({ id, ownerId }: UploadRow) =>
    mayDownload(
      ownerId,
      places.filter(({ attachmentId }) => attachmentId === id),
      reader,
    );
}

/** The facts needed to render previews of images, videos and pages. */
export type PreviewFacts = Pick<MarkdownFacts, 'uploads' | 'imageProxy' | 'websiteCards'>;

/** `uploads` are the files that the author may read (findUploads). */
export function previewFacts(
  { IMAGE_PROXY_URL, IMAGE_PROXY_KEY }: Config,
  uploads: readonly UploadRow[],
): PreviewFacts {
  const isProxied = IMAGE_PROXY_URL !== undefined && IMAGE_PROXY_KEY !== undefined;
  return {
    uploads: uploads.map(toMarkdownUpload),
    imageProxy: isProxied ? { url: IMAGE_PROXY_URL, key: IMAGE_PROXY_KEY } : undefined,
  };
}

export function toMarkdownUpload({ pathId, thumbnails, ...row }: UploadRow): MarkdownUpload {
  const image = row.imageType === null ? null : pictureOf(row);
  return { pathId, image, thumbnails };
}

function pictureOf({ imageType, imageWidth, imageHeight, imageFrames }: Omit<UploadRow, 'pathId' | 'thumbnails'>) {
  return {
    contentType: imageType as string,
    width: imageWidth as number,
    height: imageHeight as number,
    isAnimated: (imageFrames as number) > 1,
  };
}

/** The files that the rendered content links to or shows; its message claims them. */
export function claimedIds(uploads: readonly UploadRow[], { uploadPathIds }: Rendered): number[] {
  return uploads.filter(({ pathId }) => uploadPathIds.includes(pathId)).map(({ id }) => id);
}

/** Whether a user may read a file: their own, or one linked in a message that they may read now. */
function mayDownload(ownerId: number, places: readonly MessagePlace[], reader: Reader): boolean {
  return ownerId === reader.userId || places.some((place) => maySee(place, reader));
}
