import { Keyboard, LogOut, Menu, Monitor, Moon, Settings, Smile, Sun, UserRound, Users } from 'lucide';
import { call } from '../../api/call';
import { read } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { type MenuItem, showMenu } from '../base/menu';
import { attempt } from '../base/notices';
import { showPersonCard } from '../people/person-card';
import { showStatusDialog } from '../people/status';
import { drawer, toggleDrawer } from './drawers';
import { showKeyHelp } from './key-help';
import { SearchBox } from './search-box';

/** The line above everything: the organization, the search, and oneself. */
export function Header() {
  const { realm_name: name } = read('settings');
  const t = texts.value;
  return (
    <header class="head">
      <span class="only-narrow">
        <IconButton of={Menu} label={t.menu} isPressed={drawer.value === 'left'} onClick={() => toggleDrawer('left')} />
      </span>
      <a class="organization" href={addressOf({ kind: 'inbox' })}>
        {name}
      </a>
      <SearchBox />
      <span class="only-medium">
        <IconButton
          of={Users}
          label={t.people}
          isPressed={drawer.value === 'right'}
          onClick={() => toggleDrawer('right')}
        />
      </span>
      <OwnButton />
    </header>
  );
}

function OwnButton() {
  const { user_id: id, full_name: name, avatar_url: picture } = read('people', 'settings');
  return (
    <button
      type="button"
      class="own"
      aria-haspopup="menu"
      aria-label={texts.value.ownMenu(name)}
      title={name}
      onClick={({ currentTarget }) => showMenu(currentTarget, ownItems(currentTarget, id))}
    >
      <img src={picture ?? `/avatar/${id}`} alt="" width="28" height="28" />
    </button>
  );
}

function ownItems(anchor: HTMLElement, userId: number): MenuItem[] {
  const t = texts.value;
  return [
    { label: t.setStatus, icon: Smile, run: showStatusDialog },
    { label: t.showCard, icon: UserRound, run: () => showPersonCard(anchor, userId) },
    { label: t.settings, icon: Settings, run: () => goTo('#settings/profile') },
    { label: t.organizationSettings, icon: Users, run: () => goTo('#organization/profile') },
    themeItem(),
    { label: t.keyboard, icon: Keyboard, run: showKeyHelp },
    { label: t.signOut, icon: LogOut, run: signOut },
  ];
}

function goTo(hash: string): void {
  location.hash = hash;
}

/** Values of the setting `color_scheme`, in the order in which they are gone through. */
const SCHEMES = [
  { value: 1, icon: Monitor, label: 'schemeSystem' },
  { value: 3, icon: Sun, label: 'schemeLight' },
  { value: 2, icon: Moon, label: 'schemeDark' },
] as const;

function themeItem(): MenuItem {
  const present = Number(read('settings').user_settings?.['color_scheme'] ?? 1);
  const at = SCHEMES.findIndex(({ value }) => value === present);
  const next = SCHEMES[(at + 1) % SCHEMES.length] as (typeof SCHEMES)[number];
  const run = () => void attempt(() => call('PATCH', '/settings', { color_scheme: next.value }));
  return { label: texts.value[next.label], icon: next.icon, run };
}

/** A form, because the page that follows is not part of the client. */
function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/accounts/logout';
  document.body.append(form);
  form.submit();
}
