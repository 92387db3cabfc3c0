import { texts } from '../../texts/texts';

/** The end of a form in a dialog. */
export function DialogButtons({ action, close }: { action: string; close: () => void }) {
  return (
    <footer>
      <button type="button" onClick={close}>
        {texts.value.cancel}
      </button>
      <button type="submit" class="main">
        {action}
      </button>
    </footer>
  );
}
