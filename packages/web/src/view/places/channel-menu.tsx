import { Bell, BellOff, Link, LogOut, MailOpen, Palette, Pin, PinOff, Plus, Settings } from 'lucide';
import { mayJoin } from '../../store/channel-rights';
import { channel, type Subscription, subscription } from '../../store/model';
import { addressOf, go } from '../../store/place';
import { joinChannel, leaveChannel, markAllRead, setSubscription } from '../../store/place-actions';
import { texts } from '../../texts/texts';
import { copyText } from '../base/copy';
import { confirm } from '../base/dialog';
import { type MenuItem, showMenu, showPopover } from '../base/menu';
import { attempt, say } from '../base/notices';

/** The actions on a channel. */
export function showChannelMenu(anchor: HTMLElement, channelId: number): void {
  const own = subscription(channelId);
  const known = channel(channelId);
  if (!known) return;
  const t = texts.value;
  const joins = { label: t.join, icon: Plus, run: () => void attempt(() => joinChannel(known.name)) };
  showMenu(anchor, [
    {
      label: t.markAllRead,
      icon: MailOpen,
      run: () => void attempt(() => markAllRead({ kind: 'channel', channelId })),
    },
    ...(own ? itemsOfOwn(own, anchor) : mayJoin(known) ? [joins] : []),
    copyItem(addressOf({ kind: 'channel', channelId })),
    {
      label: t.channelSettings,
      icon: Settings,
      run: () => go({ kind: 'channels', path: [String(channelId), 'general'] }),
    },
    ...(own ? [{ label: t.leave, icon: LogOut, run: () => void askToLeave(own) }] : []),
  ]);
}

function itemsOfOwn(own: Subscription, anchor: HTMLElement): MenuItem[] {
  const t = texts.value;
  const set = (property: string, value: unknown) => void attempt(() => setSubscription(own.stream_id, property, value));
  return [
    {
      label: own.is_muted ? t.unmute : t.mute,
      icon: own.is_muted ? Bell : BellOff,
      run: () => set('is_muted', !own.is_muted),
    },
    {
      label: own.pin_to_top ? t.unpin : t.pin,
      icon: own.pin_to_top ? PinOff : Pin,
      run: () => set('pin_to_top', !own.pin_to_top),
    },
    { label: t.color, icon: Palette, run: () => pickColor(anchor, own.color, (color) => set('color', color)) },
  ];
}

export function copyItem(address: string): MenuItem {
  const t = texts.value;
  const link = new URL(address, location.href).href;
  return { label: t.copyLink, icon: Link, run: () => void copyText(link).then(() => say(t.copied)) };
}

/** Leaving a private channel needs a confirmation: one cannot come back by oneself. */
export async function askToLeave(own: Subscription): Promise<void> {
  const t = texts.value;
  if (own.invite_only && !(await confirm(t.leave, t.leaveQuestion(own.name), t.leave))) return;
  await attempt(() => leaveChannel(own.name));
}

const COLORS = [
  ...['#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5'],
  ...['#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063'],
  ...['#9987e1', '#e4523d', '#c2c2c2', '#4f8de4', '#c6a8ad', '#e7cc4d', '#c8bebf', '#a47462'],
];

export function pickColor(anchor: HTMLElement, present: string, take: (color: string) => void): void {
  showPopover(anchor, (close) => (
    <div class="colors">
      {COLORS.map((color) => (
        <button
          key={color}
          type="button"
          aria-label={color}
          aria-pressed={color === present}
          style={{ background: color }}
          onClick={() => {
            close();
            take(color);
          }}
        />
      ))}
      <input
        type="color"
        aria-label={texts.value.color}
        value={present}
        onChange={({ currentTarget }) => {
          close();
          take(currentTarget.value);
        }}
      />
    </div>
  ));
}
