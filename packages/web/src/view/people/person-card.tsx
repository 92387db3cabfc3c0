import { AtSign, BellOff, Clock, Mail, MessageCircle, Settings, Smile, Text, UserRound } from 'lucide';
import { useLayoutEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { write } from '../../store/composing';
import { isStranger } from '../../store/known-people';
import { type Person, person, read } from '../../store/model';
import { names } from '../../store/names';
import { go } from '../../store/place';
import { lastSeenAt, presenceOf } from '../../store/presence';
import { shownLanguage, texts } from '../../texts/texts';
import { copyText } from '../base/copy';
import { Icon } from '../base/icon';
import { showPopover } from '../base/menu';
import { attempt, say } from '../base/notices';
import { clockStyle } from '../messages/times';
import { PresenceMark } from '../places/marks';
import { localTimeIn, sinceText } from './moments';
import { ProfileFields } from './profile-fields';
import { Emoji, showStatusDialog, statusOf } from './status';

/** Shows who somebody is, beside a mention, a name or a picture. */
export function showPersonCard(anchor: HTMLElement, userId: number): void {
  if (person(userId)) showPopover(anchor, (close) => <PersonCard userId={userId} close={close} />);
}

function PersonCard({ userId, close }: { userId: number; close: () => void }) {
  read('people', 'presence');
  const shown = person(userId);
  const isGone = shown === undefined;
  // A guest sees them no longer.
  useLayoutEffect(() => {
    if (isGone) close();
  }, [isGone]);
  if (isGone) return null;
  const status = statusOf(userId);
  return (
    <div class="card" role="dialog" aria-label={shown.full_name}>
      <header>
        <img src={`/avatar/${userId}/medium`} alt="" width="72" height="72" />
        <div>
          <h2>
            {hasPresence(shown) && <PresenceMark userId={userId} />} {shown.full_name}
          </h2>
          {!isStranger(shown) && <p class="calm">{roleOf(shown)}</p>}
          {status && (
            <p>
              {status.emoji_name && <Emoji status={status} />} {status.status_text}
            </p>
          )}
        </div>
      </header>
      <Facts shown={shown} />
      <ProfileFields shown={shown} />
      <Actions shown={shown} close={close} />
    </div>
  );
}

function isActive(userId: number): boolean {
  return !read().realm_non_active_users.some(({ user_id }) => user_id === userId);
}

const hasPresence = (shown: Person) => !shown.is_bot && !isStranger(shown) && isActive(shown.user_id);

function roleOf(shown: Person): string {
  const t = texts.value;
  if (!isActive(shown.user_id)) return t.deactivated;
  if (shown.is_bot) {
    const owner = typeof shown.bot_owner_id === 'number' ? person(shown.bot_owner_id) : undefined;
    return owner ? t.botOf(owner.full_name) : t.botAccount;
  }
  return { 100: t.owner, 200: t.administrator, 300: t.moderator, 400: t.member, 600: t.guest }[shown.role] ?? t.member;
}

/** A person's presence, and since when. */
function Facts({ shown }: { shown: Person }) {
  const t = texts.value;
  if (!hasPresence(shown)) return null;
  const time = localTimeIn(shown.timezone, clockStyle.value);
  const seenAt = lastSeenAt(shown.user_id);
  const presence = presenceOf(shown.user_id);
  const seen =
    presence !== 'away' ? t[presence] : seenAt ? t.lastSeen(sinceText(seenAt, shownLanguage.value)) : t.longAgo;
  return (
    <ul class="facts">
      <Fact icon={UserRound} text={seen} />
      {time && <Fact icon={Clock} text={t.localTime(time)} />}
      {shown.delivery_email && <Fact icon={Mail} text={shown.delivery_email} />}
    </ul>
  );
}

function Fact({ icon, text }: { icon: Parameters<typeof Icon>[0]['of']; text: string }) {
  return (
    <li>
      <Icon of={icon} /> {text}
    </li>
  );
}

function Actions({ shown, close }: { shown: Person; close: () => void }) {
  return (
    <div class="menu-items">
      {actionsFor(shown).map(({ label, icon, run }) => (
        <button
          key={label}
          type="button"
          onClick={() => {
            close();
            run();
          }}
        >
          <Icon of={icon} /> {label}
        </button>
      ))}
    </div>
  );
}

function actionsFor(shown: Person) {
  const { user_id: userId, is_bot: isBot } = shown;
  const t = texts.value;
  const { user_id: own, muted_users: muted = [], is_admin: isAdmin } = read('people');
  const isMuted = muted.some(({ id }) => id === userId);
  const isOwn = userId === own;
  const isKnown = !isStranger(shown);
  const mention = `@**${names.personName(userId)}**`;
  const writeTo = () => write('', { kind: 'direct', userIds: [userId] });
  const copyMention = () => void copyText(mention).then(() => say(t.copied));
  const showMessages = () => go({ kind: 'search', terms: [{ operator: 'sender', operand: userId }] });
  const mute = { label: isMuted ? t.unmute : t.mute, icon: BellOff, run: () => void toggleMuted(userId, isMuted) };
  return [
    ...(isKnown && isActive(userId) ? [{ label: t.writeTo, icon: MessageCircle, run: writeTo }] : []),
    ...(isOwn ? [{ label: t.setStatus, icon: Smile, run: showStatusDialog }] : []),
    ...(isKnown ? [{ label: t.copyMention, icon: AtSign, run: copyMention }] : []),
    { label: t.messagesBy, icon: Text, run: showMessages },
    ...(isOwn || isBot || !(isKnown || isMuted) ? [] : [mute]),
    ...(isAdmin && !isBot ? [{ label: t.managePerson, icon: Settings, run: () => managePerson(userId) }] : []),
  ];
}

function toggleMuted(userId: number, isMuted: boolean): Promise<unknown> {
  return attempt(() => call(isMuted ? 'DELETE' : 'POST', `/users/me/muted_users/${userId}`));
}

function managePerson(userId: number): void {
  location.hash = `#organization/people/${userId}`;
}
