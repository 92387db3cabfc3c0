import { read } from '../../store/model';
import { channelTexts } from '../../texts/channel-texts';
import { Field } from './fields';

interface NameFieldsProps {
  name: string;
  description: string;
  isDisabled?: boolean;
  change: (changes: { name?: string; description?: string }) => void;
}

/** A channel's name and description. */
export function NameFields({ name, description, isDisabled = false, change }: NameFieldsProps) {
  const { max_stream_name_length: mostOfName, max_stream_description_length: mostOfText } = read('settings');
  const t = channelTexts.value;
  return (
    <>
      <Field label={t.name}>
        {(id) => (
          <input
            id={id}
            required
            maxLength={mostOfName}
            disabled={isDisabled}
            value={name}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.description}>
        {(id) => (
          <textarea
            id={id}
            rows={2}
            maxLength={mostOfText}
            disabled={isDisabled}
            value={description}
            onInput={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}
