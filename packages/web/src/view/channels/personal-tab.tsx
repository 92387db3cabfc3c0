import type { Subscription } from '../../store/model';
import { setSubscription } from '../../store/place-actions';
import { channelTexts } from '../../texts/channel-texts';
import { attempt } from '../base/notices';
import { pickColor } from '../places/channel-menu';
import { Choice, Flag } from './fields';

const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;

/** The person's own settings for the channel. */
export function PersonalTab({ own }: { own: Subscription }) {
  const t = channelTexts.value;
  const set = async (property: string, value: unknown) =>
    (await attempt(() => setSubscription(own.stream_id, property, value))) !== undefined;
  return (
    <div class="channel-form">
      <Flag label={t.isMuted} isSet={own.is_muted} change={(value) => set('is_muted', value)} />
      <Flag label={t.isPinned} isSet={own.pin_to_top} change={(value) => set('pin_to_top', value)} />
      <div class="field">
        <span>{t.color}</span>
        <button
          type="button"
          class="color-button"
          aria-label={t.color}
          style={{ background: own.color }}
          onClick={({ currentTarget }) => pickColor(currentTarget, own.color, (color) => void set('color', color))}
        />
      </div>
      <h3>{t.notify}</h3>
      {NOTIFICATIONS.map((name) => (
        <Choice
          key={name}
          label={t.notifications[name]}
          value={String(own[name])}
          options={[
            ['null', t.asAlways],
            ['true', t.yes],
            ['false', t.no],
          ]}
          change={(value) => set(name, JSON.parse(value))}
        />
      ))}
    </div>
  );
}
