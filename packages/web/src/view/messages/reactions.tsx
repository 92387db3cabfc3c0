import { SmilePlus } from 'lucide';
import { call } from '../../api/call';
import { isFrozen } from '../../store/message-rights';
import type { Message, Reaction } from '../../store/messages';
import { personName, read } from '../../store/model';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { type Emoji, pickEmoji } from '../emoji/pick-emoji';
import { pictureOf } from './emoji-picture';

/** Reactions of this many people show names, by the person's setting. */
const MOST_NAMED = 3;

export function Reactions({ message }: { message: Message }) {
  const kinds = grouped(message.reactions);
  if (kinds.size === 0) return null;
  const isNamed = message.reactions.length <= MOST_NAMED && showsNames();
  return (
    <div class="reactions">
      {[...kinds].map(([key, reactions]) => (
        <ReactionButton key={key} message={message} reactions={reactions} isNamed={isNamed} />
      ))}
      {!isFrozen(message) && (
        <IconButton
          of={SmilePlus}
          label={texts.value.react}
          onClick={({ currentTarget }) => addReaction(currentTarget, message)}
        />
      )}
    </div>
  );
}

const keyOf = ({ reaction_type, emoji_code }: Reaction) => `${reaction_type}/${emoji_code}`;

function grouped(reactions: readonly Reaction[]): Map<string, Reaction[]> {
  const kinds = new Map<string, Reaction[]>();
  for (const each of reactions) kinds.set(keyOf(each), [...(kinds.get(keyOf(each)) ?? []), each]);
  return kinds;
}

const showsNames = () => read('settings').user_settings?.['display_emoji_reaction_users'] !== false;

interface ReactionProps {
  message: Message;
  reactions: readonly Reaction[];
  isNamed: boolean;
}

function ReactionButton({ message, reactions, isNamed }: ReactionProps) {
  const { user_id: own } = read('people');
  const [reaction] = reactions as readonly [Reaction];
  const isOwn = reactions.some(({ user_id }) => user_id === own);
  const names = namesOf(reactions, own);
  const label = texts.value.reactedWith(names.join(', '), reaction.emoji_name);
  return (
    <button
      type="button"
      aria-pressed={isOwn}
      title={label}
      aria-label={label}
      disabled={isFrozen(message)}
      onClick={() => void react(message.id, reaction, isOwn)}
    >
      {pictureOf(reaction)} <span>{isNamed ? names.join(', ') : reactions.length}</span>
    </button>
  );
}

/** Oneself comes first. */
function namesOf(reactions: readonly Reaction[], own: number): string[] {
  const others = reactions.filter(({ user_id }) => user_id !== own).map(({ user_id }) => personName(user_id));
  return others.length < reactions.length ? [texts.value.you, ...others] : others;
}

function react(messageId: number, { emoji_name, emoji_code, reaction_type }: Emoji | Reaction, isOwn: boolean) {
  const reaction = { emoji_name, emoji_code, reaction_type };
  return attempt(() => call(isOwn ? 'DELETE' : 'POST', `/messages/${messageId}/reactions`, reaction));
}

/** Lets the person choose an emoji; one that they have given already is taken back. */
export function addReaction(anchor: HTMLElement, { id, reactions }: Message): void {
  const { user_id: own } = read();
  pickEmoji(anchor, (emoji) => {
    const isOwn = reactions.some((each) => each.user_id === own && keyOf(each) === keyOf({ ...emoji, user_id: own }));
    void react(id, emoji, isOwn);
  });
}
