import { useSignal } from '@preact/signals';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { DialogButtons } from './dialog-buttons';
import { fieldValueOf } from './times';

/** Asks for a date and a time. `take` gets one that is not past, if `isFuture`. */
export function askTime(
  title: string,
  action: string,
  take: (date: Date) => void,
  isFuture: boolean,
  first = inTwoHours(),
): void {
  showDialog((close) => <TimeDialog {...{ title, action, take, isFuture, first, close }} />);
}

interface TimeProps {
  title: string;
  action: string;
  take: (date: Date) => void;
  isFuture: boolean;
  first: Date;
  close: () => void;
}

function TimeDialog({ title, action, take, isFuture, first, close }: TimeProps) {
  const value = useSignal(fieldValueOf(first));
  const problem = useSignal('');
  const finish = (event: Event) => {
    event.preventDefault();
    const date = new Date(value.value);
    if (Number.isNaN(date.getTime()) || (isFuture && date.getTime() <= Date.now())) {
      problem.value = texts.value.timeIsPast;
      return;
    }
    close();
    take(date);
  };
  return (
    <Dialog title={title} close={close}>
      <form class="time-form" onSubmit={finish}>
        <label>
          {texts.value.dateAndTime}
          <input
            type="datetime-local"
            required
            value={value.value}
            {...(isFuture && { min: fieldValueOf(new Date()) })}
            onInput={({ currentTarget }) => {
              value.value = currentTarget.value;
            }}
          />
        </label>
        {problem.value !== '' && <p role="alert">{problem.value}</p>}
        <DialogButtons action={action} close={close} />
      </form>
    </Dialog>
  );
}

function inTwoHours(): Date {
  const date = new Date(Date.now() + 2 * 3_600_000);
  date.setMinutes(0);
  return date;
}
