import type { MarkdownUpload } from '../facts';
import { element, serialise } from '../html-node';
import { inlinePictureNode, isPicture, pictureNode, uploadUrl } from './picture-node';
import { uploadPathOf } from './upload-path';

const waitingBelow =
  /(<div class="message_inline_image"><a href="([^"]*)"[^<>]*>)<img class="image-loading-placeholder"[^<>]*>(<\/a><\/div>)/g;
const waitingInText =
  /<img alt="([^"]*)" class="inline-image image-loading-placeholder"[^<>]*data-original-src="([^"]*)"[^<>]*>/g;

/**
 * Rendered content in which an image with settled thumbnails replaces its placeholder; without thumbnails
 * the placeholder's frame is removed.
 */
export function settlePreviews(html: string, upload: MarkdownUpload): string {
  const isIt = (href: string) => uploadPathOf(href) === upload.pathId;
  return html
    .replace(waitingBelow, (found, before: string, href: string, after: string) => {
      if (!isIt(href)) return found;
      return isPicture(upload) ? before + serialise([pictureNode(upload)]) + after : '';
    })
    .replace(waitingInText, (found, alt: string, href: string) => {
      if (!isIt(href)) return found;
      // The text is HTML already, and must not be escaped again.
      const [head, tail] = serialise([inlinePictureNodeOrLink(upload)]).split('ALT') as [string, string];
      return head + alt + tail;
    })
    .trimEnd();
}

function inlinePictureNodeOrLink(upload: MarkdownUpload) {
  return isPicture(upload)
    ? inlinePictureNode(upload, 'ALT')
    : element('a', { href: uploadUrl(upload.pathId) }, ['ALT']);
}
