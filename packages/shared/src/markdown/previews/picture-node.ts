import type { MarkdownUpload } from '../facts';
import { element, type HtmlElement } from '../html-node';

const still = '840x560.webp';
const animated = '840x560-anim.webp';
const placeholderUrl = '/static/images/loading/loader-black.svg';

type Picture = NonNullable<MarkdownUpload['image']>;

/** An uploaded image below the link to it. */
export function pictureNode({ pathId, image, thumbnails }: MarkdownUpload): HtmlElement {
  const picture = image as Picture;
  if (thumbnails === 'pending') {
    return element('img', { ...facts(picture), class: 'image-loading-placeholder', src: placeholderUrl });
  }
  return element('img', { ...facts(picture), ...thumbnail(pathId, picture) });
}

/** An image within the text. */
export function inlinePictureNode({ pathId, image, thumbnails }: MarkdownUpload, alt: string): HtmlElement {
  const picture = image as Picture;
  const original = { alt, ...facts(picture), 'data-original-src': uploadUrl(pathId) };
  return thumbnails === 'pending'
    ? element('img', { ...original, class: 'inline-image image-loading-placeholder', src: placeholderUrl })
    : element('img', { ...original, class: 'inline-image', ...thumbnail(pathId, picture) });
}

/** Whether the file has an image to show. */
export function isPicture({ image, thumbnails }: MarkdownUpload): boolean {
  return image !== null && (thumbnails === 'ready' || thumbnails === 'pending');
}

export function uploadUrl(pathId: string): string {
  return `/user_uploads/${encodeURI(pathId)}`;
}

function facts({ contentType, width, height }: Picture): Record<string, string> {
  return { 'data-original-content-type': contentType, 'data-original-dimensions': `${width}x${height}` };
}

function thumbnail(pathId: string, { isAnimated }: Picture): Record<string, string> {
  const src = `/user_uploads/thumbnail/${encodeURI(pathId)}/${isAnimated ? animated : still}`;
  return isAnimated ? { 'data-animated': 'true', src } : { src };
}
