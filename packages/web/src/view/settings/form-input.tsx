import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { channelName, personName } from '../../store/model';
import { Choice, Flag } from './controls';
import type { FormField, FormValues } from './form-dialog';
import { Chip } from './group-setting';
import { groupNameOf } from './names';
import { channelOptions, groupOptions, type Option, personOptions } from './options';
import { Picker } from './picker';

interface FormInputProps {
  field: FormField;
  values: Signal<FormValues>;
}

/** A field of a dialog, with its label. */
export function FormInput({ field, values }: FormInputProps) {
  const id = useId();
  return (
    <div class={`form-field ${field.kind}`}>
      <label for={id}>{field.label}</label>
      <Input {...{ id, field, values }} />
      {field.hint && <small id={`${id}-hint`}>{field.hint}</small>}
    </div>
  );
}

type InputProps = FormInputProps & { id: string };

function Input({ id, field, values }: InputProps) {
  const value = values.value[field.name];
  const set = (changed: unknown) => {
    values.value = { ...values.value, [field.name]: changed };
    return Promise.resolve(true);
  };
  switch (field.kind) {
    case 'flag':
      return <Flag {...{ id, isDisabled: false }} value={value === true} change={set} />;
    case 'choice':
      return <Choice {...{ id, isDisabled: false, value, choices: field.choices }} change={set} />;
    case 'people':
    case 'channels':
    case 'groups':
      return <Ids id={id} kind={field.kind} ids={value as number[]} set={set} />;
    case 'file':
      return (
        <input
          {...{ id, type: 'file', accept: field.accept, required: field.isRequired }}
          onChange={({ currentTarget }) => void set(currentTarget.files?.[0] ?? null)}
        />
      );
    default:
      return <Written {...{ id, field, value, set }} />;
  }
}

interface WrittenProps {
  id: string;
  field: Exclude<FormField, { kind: 'flag' | 'choice' | 'people' | 'channels' | 'groups' | 'file' }>;
  value: unknown;
  set: (value: unknown) => void;
}

function Written({ id, field, value, set }: WrittenProps) {
  const common = {
    id,
    required: field.isRequired,
    value: String(value ?? ''),
    'aria-describedby': field.hint && `${id}-hint`,
  };
  if (field.kind === 'number') {
    return (
      <input
        {...common}
        {...{ type: 'number', min: field.min, max: field.max }}
        onInput={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.valueAsNumber)}
      />
    );
  }
  const limits = { maxLength: field.maxLength, minLength: field.minLength };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  if (field.kind === 'area') return <textarea {...common} {...limits} onInput={onInput} />;
  const autocomplete = field.name === 'old_password' ? 'current-password' : 'new-password';
  return (
    <input
      {...{ ...common, ...limits, ...(field.kind === 'password' && { autocomplete }) }}
      type={field.kind as 'text'}
      onInput={onInput}
    />
  );
}

const KINDS = {
  people: { nameOf: personName, find: personOptions },
  channels: { nameOf: (id: number) => `#${channelName(id)}`, find: channelOptions },
  groups: { nameOf: groupNameOf, find: (words: string) => groupOptions(words, isNamed) },
};

const isNamed = (group: { is_system_group: boolean; deactivated: boolean }) =>
  !group.is_system_group && !group.deactivated;

interface IdsProps {
  id: string;
  kind: keyof typeof KINDS;
  ids: readonly number[];
  set: (ids: number[]) => void;
}

/** Several people, channels or groups. */
function Ids({ id, kind, ids, set }: IdsProps) {
  const { nameOf, find } = KINDS[kind];
  const findOthers = (words: string): Option[] => find(words).filter((option) => !ids.includes(option.id));
  return (
    <span class="holders">
      {ids.map((each) => (
        <Chip key={each} label={nameOf(each)} remove={() => set(ids.filter((other) => other !== each))} />
      ))}
      <Picker id={id} find={findOthers} take={(option) => set([...ids, option.id])} />
    </span>
  );
}
