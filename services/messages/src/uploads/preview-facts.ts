import type { MarkdownFacts, MarkdownUpload, Rendered } from '@parley/shared/markdown';
import type { Config } from '../config';
import type { UploadRow } from './attachment.sql';

/** What a rendering has to know to show pictures, films and pages. */
export type PreviewFacts = Pick<MarkdownFacts, 'uploads' | 'imageProxy' | 'websiteCards'>;

/** `uploads` are those that the author may have (findUploads). */
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

/** Those of the files that the rendered content links to or shows, so that its message claims them. */
export function claimedIds(uploads: readonly UploadRow[], { uploadPathIds }: Rendered): number[] {
  return uploads.filter(({ pathId }) => uploadPathIds.includes(pathId)).map(({ id }) => id);
}
