import { signal } from '@preact/signals';
import { fetchFile } from '../../api/call';
import { read, registration } from '../../store/model';
import { charactersOf, type Emoji } from './emoji';
import { type Entry, keyOf } from './find-emoji';

const unicode = signal<readonly Entry[]>([]);
let loading: Promise<void> | null = null;

/** The emoji of Unicode and of the organization; without the former until they are loaded. */
export function vocabulary(): readonly Entry[] {
  void loadVocabulary();
  return [...realmEntries(), ...unicode.value];
}

/** Once; after an error again when it is needed again. */
export function loadVocabulary(): Promise<void> {
  loading ??= fetchVocabulary().catch(() => {
    loading = null;
  });
  return loading;
}

async function fetchVocabulary(): Promise<void> {
  const { server_emoji_data_url: address } = read();
  const { code_to_names: names } = await fetchFile<{ code_to_names: Record<string, string[]> }>(address);
  unicode.value = Object.entries(names).map(([code, own]) => ({
    emoji_code: code,
    emoji_name: own[0] as string,
    reaction_type: 'unicode_emoji',
    names: own,
    text: charactersOf(code),
  }));
}

function realmEntries(): Entry[] {
  const { realm_emoji: emoji } = read('settings');
  return Object.values(emoji ?? {})
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name, source_url: image }) => ({
      ...{ emoji_code: id, emoji_name: name, reaction_type: 'realm_emoji', names: [name], text: '', image },
    }));
}

/** The address of an organization's emoji; undefined: it has none, or shows it as characters. */
export function imageOf({
  emoji_code,
  reaction_type,
}: Pick<Emoji, 'emoji_code'> & { reaction_type: string }): string | undefined {
  return reaction_type === 'realm_emoji' ? read('settings').realm_emoji[emoji_code]?.source_url : undefined;
}

const POPULAR = [
  '1f44d',
  '2764',
  '1f602',
  '1f389',
  '1f64f',
  '1f604',
  '1f440',
  '2705',
  '1f680',
  '1f914',
  '1f622',
  '1f4af',
];
const popular = POPULAR.map((code) => `unicode_emoji/${code}`);
const storeName = () => `emoji-used/${read().user_id}`;
let counts: { of: number; byKey: Record<string, number> } | undefined;

function usedCounts(): Record<string, number> {
  if (counts?.of !== registration.value) {
    counts = { of: registration.value, byKey: JSON.parse(localStorage.getItem(storeName()) ?? '{}') };
  }
  return counts.byKey;
}

/** Notes that an emoji was chosen. */
export function noteUse(emoji: Emoji): void {
  const byKey = usedCounts();
  byKey[keyOf(emoji)] = (byKey[keyOf(emoji)] ?? 0) + 1;
  localStorage.setItem(storeName(), JSON.stringify(byKey));
}

/** Keys of those that the person uses most, filled up with popular ones. */
export function mostUsed(most: number): string[] {
  const own = Object.entries(usedCounts())
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => key);
  return [...new Set([...own, ...popular])].slice(0, most);
}
