import { useId } from 'preact/hooks';
import { personName } from '../../store/model';
import { type Account, type ProfileField, readSettings } from '../../store/settings-state';
import { settingsTexts } from '../../texts/settings-texts';
import { useTyped } from '../base/typed';
import { Choice, Saved } from './controls';
import { Chip } from './group-setting';
import { Part } from './listing';
import { personOptions } from './options';
import { Picker } from './picker';
import { choicesOf, FIELD_KINDS, peopleOf } from './profile-field-kinds';
import { useSaving } from './save';

interface ProfileFieldsProps {
  account: Account;
  /** Administrators fill in fields that others may not, too. */
  mayEditAll: boolean;
  save: (fieldId: number, value: string | number[]) => Promise<unknown>;
}

/** A profile's values in the organization's fields. */
export function ProfileFields({ account, mayEditAll, save }: ProfileFieldsProps) {
  const { custom_profile_fields: fields } = readSettings();
  if (fields.length === 0) return null;
  return (
    <Part title={settingsTexts.value.moreAboutMe}>
      {fields.map((field) => (
        <Field
          key={field.id}
          field={field}
          value={account.profile_data?.[field.id]?.value ?? ''}
          isDisabled={!mayEditAll && !field.editable_by_user}
          save={(value) => save(field.id, value)}
        />
      ))}
    </Part>
  );
}

interface FieldProps {
  field: ProfileField;
  value: string;
  isDisabled: boolean;
  save: (value: string | number[]) => Promise<unknown>;
}

function Field({ field, value, isDisabled, save }: FieldProps) {
  const id = useId();
  const { isSaved, ...saving } = useSaving(value, (changed) =>
    save(field.type === FIELD_KINDS.people ? peopleOf(changed) : changed),
  );
  return (
    <div class="setting text">
      <label for={id}>
        {field.name}
        {field.required && <span aria-hidden="true"> *</span>} {field.hint && <small>{field.hint}</small>}
      </label>
      <FieldControl {...{ id, field, isDisabled, ...saving }} />
      <Saved isShown={isSaved.value} />
    </div>
  );
}

type ControlProps = Omit<FieldProps, 'save'> & { id: string; change: (value: string) => unknown };

function FieldControl(props: ControlProps) {
  const { id, field, value, isDisabled, change } = props;
  if (field.type === FIELD_KINDS.people) return <People {...props} />;
  if (field.type === FIELD_KINDS.choice) {
    const choices = [['', '–'] as const, ...choicesOf(field.field_data)];
    return <Choice {...{ id, value, isDisabled, choices }} change={(chosen) => change(chosen as string)} />;
  }
  return <Written {...props} />;
}

function Written({ id, field, value, isDisabled, change }: ControlProps) {
  const { clear, ...typed } = useTyped(value);
  const type = { [FIELD_KINDS.date]: 'date', [FIELD_KINDS.link]: 'url' }[field.type] ?? 'text';
  const onChange = ({ currentTarget }: { currentTarget: { value: string } }) => {
    void change(currentTarget.value.trim());
    clear();
  };
  if (field.type === FIELD_KINDS.long) return <textarea {...{ id, onChange, disabled: isDisabled }} {...typed} />;
  return <input {...{ id, onChange, disabled: isDisabled }} {...typed} type={type as 'text'} />;
}

function People({ id, value, isDisabled, change }: ControlProps) {
  const ids = peopleOf(value);
  const set = (chosen: readonly number[]) => void change(JSON.stringify(chosen));
  return (
    <span class="holders">
      {ids.map((each) => (
        <Chip
          key={each}
          label={personName(each)}
          remove={isDisabled ? undefined : () => set(ids.filter((other) => other !== each))}
        />
      ))}
      {!isDisabled && (
        <Picker
          id={id}
          find={(words) => personOptions(words).filter((option) => !ids.includes(option.id))}
          take={(option) => set([...ids, option.id])}
        />
      )}
    </span>
  );
}
