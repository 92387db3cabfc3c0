import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Save, useChosen } from '../base/chosen';

interface FieldProps {
  label: string;
  /** Gets the id that the label names. */
  children: (id: string) => ComponentChildren;
}

export function Field({ label, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  isDisabled?: boolean;
  change: Save<string>;
}

export function Choice({ label, value, options, isDisabled = false, change }: ChoiceProps) {
  const { shown, choose } = useChosen(value, change);
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={shown}
          disabled={isDisabled}
          onChange={({ currentTarget }) => void choose(currentTarget.value)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FlagProps {
  label: string;
  isSet: boolean;
  isDisabled?: boolean;
  change: Save<boolean>;
}

export function Flag({ label, isSet, isDisabled = false, change }: FlagProps) {
  const { shown, choose } = useChosen(isSet, change);
  return (
    <label class="flag">
      <input
        type="checkbox"
        checked={shown}
        disabled={isDisabled}
        onChange={({ currentTarget }) => void choose(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
