import { useSignal } from '@preact/signals';
import { Link, MailOpen, Plus, User, Users } from 'lucide';
import { useEffect } from 'preact/hooks';
import { isSameNarrow, type Narrow } from '../../narrow/narrow';
import { person, personName, read } from '../../store/model';
import { addressOf, isVisible, place } from '../../store/place';
import { markAllRead } from '../../store/place-actions';
import { matches } from '../../store/shown-topics';
import { unread, unreadIn } from '../../store/unread';
import { texts } from '../../texts/texts';
import { copyText } from '../base/copy';
import { Icon, IconButton } from '../base/icon';
import { type MenuItem, showMenu } from '../base/menu';
import { attempt, say } from '../base/notices';
import { showNewDirect } from '../people/new-direct';
import { showPersonCard } from '../people/person-card';
import { StatusEmoji } from '../people/status';
import { Entry } from './entry';
import { PresenceMark } from './marks';
import { Section } from './section';

type Direct = Extract<Narrow, { kind: 'direct' }>;

const FEW = 8;
const MANY = 60;

/** Direct conversations, the newest first. */
export function DirectList({ filter }: { filter: string }) {
  read('people', 'presence');
  const isLong = useSignal(false);
  const all = knownDirects().filter((narrow) => matches(nameOf(narrow), filter));
  const shown = all.filter((narrow, at) => at < (isLong.value || filter ? MANY : FEW) || isWanted(narrow));
  const { directs } = unread.value;
  const count = directs.reduce((sum, each) => sum + (each.isMuted ? 0 : each.count), 0);
  const t = texts.value;
  if (filter !== '' && all.length === 0) return null;
  const action = <IconButton of={Plus} label={t.newDirect} onClick={showNewDirect} />;
  return (
    <Section name="directs" title={t.directMessages} count={count} isForced={filter !== ''} action={action}>
      <ul>
        {shown.map((narrow) => (
          <DirectEntry key={narrow.userIds.join()} narrow={narrow} />
        ))}
        {(isLong.value || all.length > shown.length) && (
          <li>
            <button type="button" class="more" onClick={() => (isLong.value = !isLong.value)}>
              {isLong.value ? t.fewer : t.more(all.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Also those whose messages are older than what the server tells first. */
function knownDirects(): Direct[] {
  const { recent_private_conversations: recent, user_id } = read('unread');
  const known: Direct[] = recent.map(({ user_ids: ids }) => ({
    kind: 'direct',
    userIds: ids.length > 0 ? ids : [user_id],
  }));
  const { narrow: here } = place.value;
  const open = isVisible(here) ? [here] : [];
  const others = [...unread.value.directs.map(({ narrow }) => narrow), ...open].filter(
    (narrow): narrow is Direct => narrow.kind === 'direct' && !known.some((each) => isSameNarrow(each, narrow)),
  );
  return [...known, ...others];
}

function isWanted(narrow: Direct): boolean {
  return isSameNarrow(narrow, place.value.narrow) || (unreadIn(narrow)?.count ?? 0) > 0;
}

const nameOf = ({ userIds }: Direct) => userIds.map(personName).join(', ');

function DirectEntry({ narrow }: { narrow: Direct }) {
  const { count, mentionCount, isMuted } = unreadIn(narrow) ?? {};
  const [only, ...others] = narrow.userIds as [number];
  return (
    <Entry
      narrow={narrow}
      label={nameOf(narrow)}
      count={count}
      mentionCount={mentionCount}
      isMuted={isMuted ?? false}
      mark={<DirectMark userIds={narrow.userIds} />}
      after={others.length > 0 ? null : <StatusEmoji userId={only} />}
      showMenu={(anchor) => showMenu(anchor, itemsFor(narrow, anchor))}
    />
  );
}

/** Of a conversation: the other person, or how many others there are. */
export function DirectMark({ userIds }: { userIds: readonly number[] }) {
  const [only, ...others] = userIds as readonly [number];
  return others.length > 0 ? <GroupMark count={userIds.length} /> : <Picture userId={only} />;
}

/** Longer than between two keys of somebody who types. */
const LATE_MS = 200;

/** Small, with a point that says whether the person is there. `isLate`: many are shown for a moment only, and their pictures are not loaded. */
export function Picture({ userId, isLate = false }: { userId: number; isLate?: boolean }) {
  const isDue = useSignal(!isLate);
  useEffect(() => {
    if (isDue.value) return;
    const timer = setTimeout(() => (isDue.value = true), LATE_MS);
    return () => clearTimeout(timer);
  }, [isDue]);
  const address = isDue.value ? (person(userId)?.avatar_url ?? `/avatar/${userId}`) : undefined;
  return (
    <span class="picture">
      <img src={address} alt="" width="20" height="20" loading="lazy" />
      {!person(userId)?.is_bot && <PresenceMark userId={userId} />}
    </span>
  );
}

function GroupMark({ count }: { count: number }) {
  return (
    <span class="picture group" aria-hidden="true">
      <Icon of={Users} />
      <small>{count}</small>
    </span>
  );
}

function itemsFor(narrow: Direct, anchor: HTMLElement): MenuItem[] {
  const t = texts.value;
  const link = new URL(addressOf(narrow), location.href).href;
  const [only, ...others] = narrow.userIds as [number];
  return [
    ...(others.length === 0 ? [{ label: t.showCard, icon: User, run: () => showPersonCard(anchor, only) }] : []),
    { label: t.markRead, icon: MailOpen, run: () => void attempt(() => markAllRead(narrow)) },
    { label: t.copyLink, icon: Link, run: () => void copyText(link).then(() => say(t.copied)) },
  ];
}
