import { effect, untracked } from '@preact/signals';
import { changed, read, registration, type StoredDraft } from './model';

// Where somebody does not want drafts on the server, this browser keeps them. Among those of the state they have negative ids.

const keptAs = () => `drafts/${read().user_id}`;

/** Whether the person wants drafts to be kept in this browser only. */
export const keepsDraftsHere = () => read().user_settings?.['enable_drafts_synchronization'] === false;

export const isLocal = (draftId: number) => draftId < 0;

/** Keeps a draft, a new one for null. Returns its id. */
export function storeLocally(id: number | null, draft: Draft): number {
  const others = localDrafts().filter((each) => each.id !== id);
  const own = id ?? Math.min(0, ...others.map((each) => each.id)) - 1;
  keep([...others, { ...draft, id: own, timestamp: Math.floor(Date.now() / 1_000) }]);
  return own;
}

/** Takes over the drafts of the server, which forgets them. `take` gets their former and new ids. */
export function takeHome(take: (formerId: number, id: number) => void): void {
  const { drafts } = read();
  const former = drafts.filter(({ id }) => !isLocal(id));
  for (const { id, timestamp: _, ...draft } of former) {
    // Another tab may have taken it already.
    const known = localDrafts().find((each) => isSame(each, draft));
    take(id, known?.id ?? storeLocally(null, draft));
  }
  drafts.splice(0, drafts.length, ...drafts.filter(({ id }) => isLocal(id)));
  changed('writing');
}

type Draft = Omit<StoredDraft, 'id' | 'timestamp'>;

const isSame = (a: Draft, b: Draft) =>
  a.type === b.type && a.topic === b.topic && a.content === b.content && a.to.join() === b.to.join();

export function deleteLocally(id: number): void {
  keep(localDrafts().filter((each) => each.id !== id));
}

function localDrafts(): StoredDraft[] {
  try {
    return JSON.parse(localStorage.getItem(keptAs()) ?? '[]') as StoredDraft[];
  } catch {
    return [];
  }
}

function keep(drafts: readonly StoredDraft[]): void {
  try {
    if (drafts.length > 0) localStorage.setItem(keptAs(), JSON.stringify(drafts));
    else localStorage.removeItem(keptAs());
  } catch {
    // Without a place to keep them, they last as long as the page.
  }
  show(drafts);
}

function show(local: readonly StoredDraft[]): void {
  const { drafts } = read();
  if (!drafts || (local.length === 0 && !drafts.some(({ id }) => isLocal(id)))) return;
  drafts.splice(0, drafts.length, ...drafts.filter(({ id }) => !isLocal(id)), ...local);
  changed('writing');
}

effect(() => {
  if (registration.value > 0) untracked(() => show(localDrafts()));
});

// Another tab has changed them.
addEventListener('storage', (event) => {
  if (registration.peek() > 0 && (event as StorageEvent).key === keptAs()) show(localDrafts());
});
