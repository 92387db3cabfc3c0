import { NO_CHANNEL } from '@parley/shared/settings';
import { X } from 'lucide';
import { channel, read } from '../../store/model';
import { settingsTexts } from '../../texts/settings-texts';
import { IconButton } from '../base/icon';
import { channelOptions } from './options';
import { Picker } from './picker';

interface ChannelSelectProps {
  id: string;
  value: number;
  isDisabled: boolean;
  change: (value: number) => unknown;
}

/** One channel, or none. */
export function ChannelSelect({ id, value, isDisabled, change }: ChannelSelectProps) {
  read('channels');
  const { none, remove } = settingsTexts.value;
  const name = value === NO_CHANNEL ? none : `#${channel(value)?.name ?? '…'}`;
  return (
    <span class="holders">
      <span class="holder">
        {name}
        {value !== NO_CHANNEL && !isDisabled && (
          <IconButton of={X} label={`${remove}: ${name}`} onClick={() => void change(NO_CHANNEL)} />
        )}
      </span>
      {!isDisabled && <Picker id={id} find={channelOptions} take={({ id: channelId }) => void change(channelId)} />}
    </span>
  );
}
