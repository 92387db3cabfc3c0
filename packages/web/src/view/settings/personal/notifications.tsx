import type { UserSettingName } from '@parley/shared/settings';
import { useEffect } from 'preact/hooks';
import type { Subscription } from '../../../store/model';
import { permission, requestPermission } from '../../../store/notifications';
import { setSubscription } from '../../../store/place-actions';
import { lookUpPush, pushState, turnOffPush, turnOnPush } from '../../../store/push';
import { readSettings } from '../../../store/settings-state';
import { playSound } from '../../../store/sounds';
import { settingsTexts } from '../../../texts/settings-texts';
import { attempt } from '../../base/notices';
import { Choice, Flag, Saved } from '../controls';
import { Action, Listing, Part } from '../listing';
import { byName } from '../names';
import { useSaving } from '../save';
import { changeUserSetting, type Owner, UserSettingFields, userSettingOf } from '../setting-parts';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS } from '../shown-settings';

/** When somebody is notified, and how. */
export function Notifications({ owner = 'self' }: { owner?: Owner }) {
  const t = settingsTexts.value;
  return (
    <>
      {owner === 'self' && <ThisBrowser />}
      {owner === 'self' && <Pushes />}
      <Matrix owner={owner} />
      <UserSettingFields owner={owner} part="desktop" />
      {owner === 'self' && (
        <Action label={t.playSound} run={() => playSound(String(userSettingOf('self', 'notification_sound')))} />
      )}
      <UserSettingFields owner={owner} part="push" />
      <UserSettingFields owner={owner} part="mail" />
      {owner === 'self' && <OfChannels />}
    </>
  );
}

/** Browsers ask the person first, and only after a click. */
function ThisBrowser() {
  const t = settingsTexts.value;
  const state = permission.value;
  return (
    <Part title={t.thisBrowser} note={t.permissionNotes[state]}>
      {state === 'default' && <Action isMain label={t.allowNotifications} run={() => attempt(requestPermission)} />}
    </Part>
  );
}

/** Of this browser while no tab is open. */
function Pushes() {
  const t = settingsTexts.value;
  const state = pushState.value;
  useEffect(() => void attempt(lookUpPush), []);
  return (
    <Part title={t.pushes} note={t.pushNotes[state]}>
      {(state === 'off' || state === 'failed') && (
        <Action isMain label={t.turnOnPush} run={() => attempt(turnOnPush)} />
      )}
      {state === 'on' && <Action label={t.turnOffPush} run={() => attempt(turnOffPush)} />}
    </Part>
  );
}

/** Kinds of messages, and the ways of telling. */
function Matrix({ owner }: { owner: Owner }) {
  const t = settingsTexts.value;
  return (
    <Part title={t.notifyAbout}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard. */}
      <section class="sideways" tabIndex={0} aria-label={t.notifyAbout}>
        <table class="matrix">
          <thead>
            <tr>
              <td />
              {NOTIFICATION_WAYS.map((way) => (
                <th key={way} scope="col">
                  {t.ways[way]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Object.entries(NOTIFICATION_KINDS).map(([kind, names]) => (
              <tr key={kind}>
                <th scope="row">{t.kinds[kind as keyof typeof NOTIFICATION_KINDS]}</th>
                {names.map((name, at) => (
                  <td key={NOTIFICATION_WAYS[at]}>
                    {name && (
                      <MatrixFlag
                        owner={owner}
                        name={name}
                        label={`${t.kinds[kind as keyof typeof NOTIFICATION_KINDS]}: ${t.ways[NOTIFICATION_WAYS[at] ?? 'desktop']}`}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Part>
  );
}

function MatrixFlag({ owner, name, label }: { owner: Owner; name: UserSettingName; label: string }) {
  const { value, change } = useSaving(userSettingOf(owner, name), (chosen) => changeUserSetting(owner, name, chosen));
  return (
    <Flag
      id={`${owner}-${name}`}
      label={label}
      value={value === true}
      isDisabled={owner === 'defaults' && !readSettings().is_admin}
      change={change}
    />
  );
}

const CHANNEL_WAYS = {
  desktop_notifications: 'desktop',
  audible_notifications: 'sound',
  push_notifications: 'push',
  email_notifications: 'mail',
  wildcard_mentions_notify: 'everybody',
} as const;
type ChannelWay = keyof typeof CHANNEL_WAYS;

function OfChannels() {
  const t = settingsTexts.value;
  const { subscriptions } = readSettings('channels');
  const channels = subscriptions.filter(({ is_archived: isArchived }) => !isArchived);
  return (
    <Part title={t.ofChannels} note={t.ofChannelsNote}>
      <Listing
        label={t.ofChannels}
        items={channels.toSorted((a, b) => byName(a.name, b.name))}
        textOf={({ name }) => name}
        keyOf={({ stream_id: id }) => id}
        draw={(channel) => <OfChannel channel={channel} />}
      />
    </Part>
  );
}

function OfChannel({ channel }: { channel: Subscription }) {
  const t = settingsTexts.value;
  const ways = Object.keys(CHANNEL_WAYS) as ChannelWay[];
  const own = ways.filter((name) => channel[name] !== null).length;
  return (
    <details>
      <summary>
        #{channel.name} <small>{own > 0 && t.different(own)}</small>
      </summary>
      {ways.map((name) => (
        <OfWay key={name} channel={channel} name={name} />
      ))}
    </details>
  );
}

function OfWay({ channel, name }: { channel: Subscription; name: ChannelWay }) {
  const t = settingsTexts.value;
  const { stream_id } = channel;
  const { value, change, isSaved } = useSaving<unknown>(channel[name], (chosen) =>
    setSubscription(stream_id, name, chosen),
  );
  // The API knows no way back to what counts for all channels.
  const yesOrNo = [[true, t.yes] as const, [false, t.no] as const];
  const id = `${name}-${stream_id}`;
  return (
    <div class="setting choice">
      <label for={id}>{t.ways[CHANNEL_WAYS[name]]}</label>
      <Choice
        {...{ id, value, change, isDisabled: false }}
        choices={value === null ? [[null, t.asAll], ...yesOrNo] : yesOrNo}
      />
      <Saved isShown={isSaved.value} />
    </div>
  );
}
