import { LANGUAGES } from '@parley/shared/settings';
import { useId } from 'preact/hooks';
import { choiceLabel } from '../../texts/setting-texts';
import { settingsTexts } from '../../texts/settings-texts';
import { useTyped } from '../base/typed';
import { ChannelSelect } from './channel-select';
import type { Control, Without } from './declared';
import { inUnits, UNIT_NAMES, UNITS, type Unit } from './durations';
import { useSaving } from './save';

interface ControlProps<Value = unknown> {
  id: string;
  value: Value;
  isDisabled: boolean;
  change: (value: unknown) => unknown;
}

interface SettingProps {
  /** Its name in the API. */
  name: string;
  label: string;
  control: Control;
  value: unknown;
  isDisabled?: boolean;
  save: (value: unknown) => Promise<unknown>;
}

/** A setting that is saved as soon as it is changed. */
export function Setting({ name, label, control, value, isDisabled = false, save }: SettingProps) {
  const id = useId();
  const { isSaved, ...saving } = useSaving(value, save);
  return (
    <div class={`setting ${control.kind}`}>
      <label for={id}>{label}</label>
      <SettingControl name={name} control={control} {...{ id, isDisabled, ...saving }} />
      <Saved isShown={isSaved.value} />
    </div>
  );
}

export function Saved({ isShown }: { isShown: boolean }) {
  return (
    <span class="saved" role="status">
      {isShown && (
        <>
          ✓<span class="hidden"> {settingsTexts.value.saved}</span>
        </>
      )}
    </span>
  );
}

function SettingControl({ name, control, ...props }: { name: string; control: Control } & ControlProps) {
  switch (control.kind) {
    case 'flag':
      return <Flag {...props} value={props.value === true} />;
    case 'choice':
      return <Choice {...props} choices={control.values.map((each) => [each, choiceLabel(name, each)])} />;
    case 'language':
      return <Choice {...props} choices={Object.entries(LANGUAGES)} />;
    case 'channel':
      return <ChannelSelect {...props} value={props.value as number} />;
    case 'number':
      return <NumberOrNone {...props} value={props.value as number | null} control={control} />;
    case 'text':
      return <Text {...props} value={String(props.value ?? '')} maxLength={control.maxLength} />;
    case 'methods':
      return null;
  }
}

export function Flag({ id, value, isDisabled, change, label }: ControlProps<boolean> & { label?: string }) {
  return (
    <input
      id={id}
      type="checkbox"
      aria-label={label}
      checked={value}
      disabled={isDisabled}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  );
}

type ChoiceProps = ControlProps & { choices: readonly (readonly [unknown, string])[]; label?: string };

export function Choice({ id, value, isDisabled, change, choices, label }: ChoiceProps) {
  const selected = choices.findIndex(([each]) => each === value);
  return (
    <select
      id={id}
      aria-label={label}
      disabled={isDisabled}
      value={String(selected)}
      onChange={({ currentTarget }) => void change(choices[Number(currentTarget.value)]?.[0])}
    >
      {choices.map(([each, text], at) => (
        <option key={String(each)} value={String(at)}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Longer texts have several lines. */
const LONG = 500;

function Text({ id, value, isDisabled, change, maxLength }: ControlProps<string> & { maxLength: number | undefined }) {
  const Element = (maxLength ?? 0) > LONG ? 'textarea' : 'input';
  const { clear, ...typed } = useTyped(value);
  return (
    <Element
      id={id}
      {...typed}
      maxLength={maxLength}
      disabled={isDisabled}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => {
        void change(currentTarget.value.trim());
        clear();
      }}
    />
  );
}

type NumberControl = Extract<Control, { kind: 'number' }>;

function NumberOrNone({ control, ...props }: ControlProps<number | null> & { control: NumberControl }) {
  const { without, isDuration, min } = control;
  const isNone = without !== undefined && props.value === without.value;
  const Count = isDuration ? Duration : Whole;
  return (
    <span class="number-or-none">
      {!isNone && <Count {...props} value={props.value ?? min} control={control} />}
      {without && <NoLimit {...props} without={without} isNone={isNone} otherwise={isDuration ? UNITS.hours : 30} />}
    </span>
  );
}

interface NoLimitProps extends ControlProps {
  without: Without;
  isNone: boolean;
  otherwise: number;
}

function NoLimit({ id, isDisabled, change, without, isNone, otherwise }: NoLimitProps) {
  const ownId = isNone ? id : `${id}-none`;
  return (
    <span>
      <Flag
        id={ownId}
        value={isNone}
        isDisabled={isDisabled}
        change={(isChosen) => change(isChosen ? without.value : otherwise)}
      />{' '}
      <label for={ownId}>{settingsTexts.value.noLimit}</label>
    </span>
  );
}

function Whole({ id, value, isDisabled, change, control }: ControlProps<number> & { control: NumberControl }) {
  const { clear, ...typed } = useTyped(String(value));
  return (
    <input
      id={id}
      type="number"
      required
      min={control.min}
      max={control.max}
      {...typed}
      disabled={isDisabled}
      onChange={({ currentTarget }) => {
        if (!currentTarget.reportValidity()) return;
        void change(currentTarget.valueAsNumber);
        clear();
      }}
    />
  );
}

function Duration({ id, value, isDisabled, change, control }: ControlProps<number> & { control: NumberControl }) {
  const { count, unit } = inUnits(value);
  const { units, unit: unitLabel } = settingsTexts.value;
  const { clear, ...typed } = useTyped(String(count));
  const changeTo = (changed: number, as: Unit) => void change(Math.min(changed * UNITS[as], control.max));
  return (
    <>
      <input
        id={id}
        type="number"
        required
        min={1}
        {...typed}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return;
          changeTo(currentTarget.valueAsNumber, unit);
          clear();
        }}
      />
      <Choice
        id={`${id}-unit`}
        label={unitLabel}
        value={unit}
        choices={UNIT_NAMES.map((each) => [each, units[each]])}
        isDisabled={isDisabled}
        change={(as) => changeTo(count, as as Unit)}
      />
    </>
  );
}
