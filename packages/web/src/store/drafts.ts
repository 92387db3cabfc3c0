import { effect } from '@preact/signals';
import { ApiError, call } from '../api/call';
import {
  allWritings,
  conversationOf,
  focusRequests,
  knownWritingTo,
  newMessage,
  startMessage,
  type Target,
  targetOfDraft,
  type Writing,
  writingAt,
} from './composing';
import { answerTo } from './draft-changes';
import { deleteLocally, isLocal, keepsDraftsHere, storeLocally, takeHome } from './local-drafts';
import { channel, isReady, link, onEvent, read, type StoredDraft } from './model';
import { go, isVisible, place } from './place';

// What is written is kept on the server, or in this browser if the person prefers that: soon after typing stops, and when they leave. A
// draft belongs to one text field; two tabs with the same draft follow each other until both are written to.

const PAUSE_MS = 1_200;
const KEPT_SAVES = 10;

interface Keeping {
  timer?: ReturnType<typeof setTimeout>;
  /** Saves follow each other. */
  last: Promise<void>;
  ownSaves: string[];
}

const keepings = new WeakMap<Writing, Keeping>();

function keepingOf(writing: Writing): Keeping {
  const known = keepings.get(writing) ?? { last: Promise.resolve(), ownSaves: [] };
  keepings.set(writing, known);
  return known;
}

/** After each change of the text or of its target. */
export function keepSoon(writing: Writing): void {
  const keeping = keepingOf(writing);
  clearTimeout(keeping.timer);
  keeping.timer = setTimeout(() => void keepNow(writing), PAUSE_MS);
}

/** Saves what is not saved yet. Never throws: it is tried again with the next change. */
export function keepNow(writing: Writing): Promise<void> {
  const keeping = keepingOf(writing);
  clearTimeout(keeping.timer);
  keeping.last = keeping.last.then(() => save(writing, keeping)).catch(() => {});
  return keeping.last;
}

async function save(writing: Writing, keeping: Keeping): Promise<void> {
  const content = writing.content.peek();
  const target = writing.target.peek();
  const isSaved = content === writing.savedContent && target === writing.savedTarget;
  if (isSaved) return;
  if (content.trim() === '') {
    if (writing.draftId !== null) await deleteDraft(writing.draftId);
    if (writing.content.peek() === content) Object.assign(writing, { draftId: null, savedContent: content });
    return;
  }
  const draft = { ...addressOf(target), content };
  keeping.ownSaves = [content, content.trim(), ...keeping.ownSaves].slice(0, KEPT_SAVES);
  const id = await store(writing.draftId, draft);
  // It was sent meanwhile.
  if (writing.content.peek() === '' && writing.savedContent === '') return deleteDraft(id);
  Object.assign(writing, { draftId: id, savedContent: content, savedTarget: target });
}

async function store(formerId: number | null, draft: Omit<StoredDraft, 'id' | 'timestamp'>): Promise<number> {
  const localId = formerId !== null && isLocal(formerId) ? formerId : null;
  if (keepsDraftsHere()) return storeLocally(localId, draft);
  // The person has changed the setting since.
  if (localId !== null) deleteLocally(localId);
  const id = localId === null ? formerId : null;
  try {
    if (id !== null) {
      await call('PATCH', `/drafts/${id}`, { draft }, { keepalive: true });
      return id;
    }
  } catch (error) {
    if (!isDeleted(error)) throw error;
  }
  const { ids } = await call<{ ids: [number] }>('POST', '/drafts', { drafts: [draft] }, { keepalive: true });
  return ids[0];
}

export async function deleteDraft(id: number): Promise<void> {
  if (isLocal(id)) {
    deleteLocally(id);
    followAll(id, undefined);
    return;
  }
  try {
    await call('DELETE', `/drafts/${id}`, {}, { keepalive: true });
  } catch (error) {
    if (!isDeleted(error)) throw error;
  }
}

const isDeleted = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Where nothing can be written any longer, the server keeps the text without an address. */
function addressOf(whole: Target): Pick<StoredDraft, 'type' | 'to' | 'topic'> {
  const target = withOpenChannel(whole);
  if (target.kind === 'direct')
    return { type: target.userIds.length > 0 ? 'private' : '', to: [...target.userIds], topic: '' };
  const { channelId, topic } = target;
  return channelId === null
    ? { type: '', to: [], topic: '' }
    : { type: 'stream', to: [channelId], topic: topic.trim() };
}

/** The text was sent: there is nothing to keep. */
export function finish(writing: Writing): void {
  const keeping = keepingOf(writing);
  clearTimeout(keeping.timer);
  const { draftId } = writing;
  writing.clear();
  if (draftId === null) return;
  keepSent([...sentDrafts(), draftId]);
  void deleteSent();
}

// Drafts of what was sent, until they are deleted: without a network, that is when there is one again, also after the page was loaded anew.
const sentAs = () => `sent-drafts/${read().user_id}`;
const sentDrafts = () => JSON.parse(sessionStorage.getItem(sentAs()) ?? '[]') as number[];

function keepSent(ids: readonly number[]): void {
  if (ids.length > 0) sessionStorage.setItem(sentAs(), JSON.stringify(ids));
  else sessionStorage.removeItem(sentAs());
}

async function deleteSent(): Promise<void> {
  for (const id of sentDrafts()) {
    await deleteDraft(id).then(
      () => keepSent(sentDrafts().filter((each) => each !== id)),
      () => {},
    );
  }
}

function catchUp(): void {
  if (!isReady.peek()) return;
  void deleteSent();
  keepAll();
}

addEventListener('online', catchUp);
effect(() => {
  if (link.value === 'up' && isReady.value) catchUp();
});

/** Goes to the conversation of a draft and continues it there; where nobody may write any longer, apart, so that it can go elsewhere. */
export async function restore(draft: StoredDraft, mayWriteThere: boolean): Promise<void> {
  const target = targetOfDraft(draft);
  const narrow = conversationOf(target);
  if (!narrow || !mayWriteThere || !isVisible(narrow)) return startMessage(withOpenChannel(target)).take(draft);
  const writing = writingAt(narrow) as Writing;
  if (writing.draftId !== draft.id) await keepNow(writing);
  newMessage.value = null;
  writing.take(draft);
  go(narrow);
  focusRequests.value += 1;
}

/** What cannot be sent where it was written goes on apart. */
export function writeElsewhere(writing: Writing): void {
  const { draftId } = writing;
  const content = writing.content.peek();
  writing.clear();
  const apart = startMessage(withOpenChannel(writing.target.peek()));
  apart.replace(content);
  apart.draftId = draftId;
  keepSoon(apart);
}

/** Without the channel that is archived, or seen no longer. */
function withOpenChannel(target: Target): Target {
  if (target.kind === 'direct' || target.channelId === null) return target;
  const place = channel(target.channelId);
  return place && !place.is_archived ? target : { ...target, channelId: null };
}

onEvent((event) => {
  if (event.type === 'user_settings' && event['property'] === 'enable_drafts_synchronization' && keepsDraftsHere())
    takeHome((formerId, id) => {
      for (const writing of allWritings()) if (writing.draftId === formerId) writing.draftId = id;
    });
  if (event.type !== 'drafts') return;
  if (event['op'] === 'add') {
    for (const draft of event['drafts'] as StoredDraft[]) adopt(draft);
    return;
  }
  const changed = event['draft'] as StoredDraft | undefined;
  const id = changed?.id ?? event['draft_id'];
  followAll(id as number, changed);
});

function followAll(id: number, changed: StoredDraft | undefined): void {
  for (const writing of allWritings()) if (writing.draftId === id) follow(writing, changed);
}

/** One that was begun elsewhere is continued where nothing is written yet; events of one's own saves may come after the text was sent. */
function adopt(draft: StoredDraft): void {
  const writing = knownWritingTo(targetOfDraft(draft));
  if (!writing || writing.draftId !== null || writing.content.peek() !== '') return;
  if (!keepingOf(writing).ownSaves.includes(draft.content)) writing.take(draft);
}

function follow(writing: Writing, changed: StoredDraft | undefined): void {
  const { ownSaves } = keepingOf(writing);
  const own = { content: writing.content.peek(), savedContent: writing.savedContent, ownSaves };
  const answer = answerTo(changed ?? 'removed', own);
  if (answer === 'take' && changed) writing.take(changed);
  else if (answer === 'empty') writing.clear();
  else if (answer === 'part') Object.assign(writing, { draftId: null, savedContent: '' });
}

function keepAll(): void {
  for (const writing of allWritings()) void keepNow(writing);
}

addEventListener('pagehide', keepAll);
document.addEventListener('visibilitychange', () => {
  if (document.hidden) keepAll();
});

// A message that is written apart from its place ends when the person goes elsewhere; its draft stays.
let here = place.peek();
place.subscribe((there) => {
  const apart = newMessage.peek();
  if (apart && there !== here) {
    void keepNow(apart);
    newMessage.value = null;
  }
  here = there;
});
