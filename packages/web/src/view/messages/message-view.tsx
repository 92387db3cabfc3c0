import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Narrow, narrowKey } from '../../narrow/narrow';
import { listAt } from '../../store/message-lists';
import { registration } from '../../store/model';
import { isVisible, place } from '../../store/place';
import { keptUnreadFrom } from '../../store/reading';
import { texts } from '../../texts/texts';
import { noteShownView } from '../base/first-view';
import { Compose } from '../compose/compose';
import { useMessageKeys } from './message-keys';
import { MessageScroll } from './message-scroll';
import { TypingLine } from './typing-line';
import { ViewHead } from './view-head';

/** The messages of the narrow at which the person is, and what they write there. */
export function MessageView() {
  return isVisible(place.value.narrow) ? <Messages /> : <NotVisible />;
}

function Messages() {
  const { value: at } = place;
  const { value: registered } = registration;
  const list = useMemo(() => listAt(at), [at, registered]);
  const key = narrowKey(list.narrow);
  const isShown = useComputed(() => list.ids.value.length > 0 || !list.isLoading.value).value;
  useEffect(() => {
    if (isShown) noteShownView();
  }, [isShown]);
  useMessageKeys(list);
  useEffect(() => {
    keptUnreadFrom.value = null;
  }, [key]);
  return (
    <>
      <ViewHead list={list} />
      <MessageScroll key={key} list={list} at={at} />
      <TypingLine narrow={list.narrow} />
      <Compose narrow={list.narrow} />
    </>
  );
}

const ELSEWHERE: Narrow = { kind: 'feed' };

/** In place of messages where a link leads to what is gone or private. */
function NotVisible() {
  const { notFound, notVisible } = texts.value;
  useEffect(noteShownView, []);
  return (
    <>
      <header class="place">
        <h1>{notFound}</h1>
      </header>
      <div class="scroll-frame">
        <p class="notice">{notVisible}</p>
      </div>
      <Compose narrow={ELSEWHERE} />
    </>
  );
}
