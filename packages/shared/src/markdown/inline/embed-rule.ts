import { element, type HtmlNode } from '../html-node';
import { relativeToRealm, safeHref } from '../links/safe-href';
import { inlinePictureNode, isPicture, uploadUrl } from '../previews/picture-node';
import { uploadPathOf } from '../previews/upload-path';
import { type InlineRule, type InlineScope, replaceMatches } from './inline-scope';

const embedded = /!\[([^[\]\n]{0,1000})\]\(([^\s()]{1,2000})\)/g;
const audioPath = /\.(?:aac|flac|mp3|wav)$/i;

/**
 * `![text](/user_uploads/…)`: an uploaded image or sound within the text. For other addresses it is an exclamation mark and a
 * link.
 */
export const embedRule: InlineRule = {
  name: 'embed',
  needs: ['!['],
  apply(text, scope) {
    return replaceMatches(text, embedded, scope, ([, label = '', target = '']) => embed(scope, label, target));
  },
};

function embed(scope: InlineScope, label: string, target: string): HtmlNode[] | null {
  const href = safeHref(scope.plain(target));
  const pathId = href && uploadPathOf(relativeToRealm(href, scope.facts.all.realmUrl));
  const upload = pathId ? scope.facts.findUpload(pathId) : undefined;
  if (!upload) return null;
  const text = scope.plain(label);
  const node = audioPath.test(upload.pathId)
    ? element('audio', { controls: '', preload: 'metadata', src: uploadUrl(upload.pathId), title: text })
    : isPicture(upload) && scope.facts.all.showsPreviews
      ? inlinePictureNode(upload, text)
      : null;
  if (!node) return null;
  if (node.tag === 'img') scope.findings.hasImage = true;
  scope.findings.uploadPathIds.add(upload.pathId);
  return [node];
}
