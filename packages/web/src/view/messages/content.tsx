import { computed } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { trusted } from '../../api/trusted';
import { isReady, read } from '../../store/model';
import { ownGroupIds } from '../../store/own-groups';
import { texts } from '../../texts/texts';
import { markAlertWords } from './alert-words';
import { onContentClick, onContentKey } from './content-clicks';
import { loadMathStyle } from './math-style';
import { type ContentFacts, prepare } from './prepare-content';

const facts = computed<ContentFacts>(() => {
  const { copyCode: copy, reveal, enlarge: picture } = texts.value;
  const groupIds = ownGroupIds.value;
  return { userId: isReady.value ? read().user_id : 0, groupIds, labels: { copy, reveal, picture } };
});

interface ContentProps {
  html: string;
  /** `/me` begins the text: the sender's name stands in its place. */
  isAboutSender?: boolean | undefined;
  /** The person's alert words, if it has one. */
  alertWords?: readonly string[] | undefined;
}

/** The rendered content: cleaned once more, and made interactive. */
export function Content({ html, isAboutSender, alertWords }: ContentProps) {
  const element = useRef<HTMLDivElement>(null);
  const known = facts.value;
  const content = useMemo(() => {
    const fragment = trusted.createFragment(html);
    if (isAboutSender) cutCommand(fragment);
    prepare(fragment, known);
    if (alertWords) markAlertWords(fragment, alertWords);
    if (fragment.querySelector('.katex')) loadMathStyle();
    return fragment;
  }, [html, isAboutSender, known, alertWords]);
  useLayoutEffect(() => {
    // The fragment is empty once it was inserted.
    if (content.hasChildNodes()) element.current?.replaceChildren(content);
  }, [content]);
  // biome-ignore lint/a11y/noStaticElementInteractions: the parts that take clicks are buttons and links within it.
  return <div ref={element} class="content" dir="auto" onClick={onContentClick} onKeyDown={onContentKey} />;
}

function cutCommand(fragment: DocumentFragment): void {
  const first = fragment.querySelector('p')?.firstChild;
  if (first?.nodeType === Node.TEXT_NODE) first.textContent = first.textContent?.replace(/^\/me\s+/, '') ?? '';
}
