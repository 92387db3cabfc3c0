import type { Replacement } from './formatting';

/** Replaces a part of the text as if it were typed, so that it can be undone. */
export function replaceIn(field: HTMLTextAreaElement, { from, to, insert, select }: Replacement): void {
  field.focus();
  field.setSelectionRange(from, to);
  const isDone = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert);
  if (!isDone) {
    field.setRangeText(insert, from, to, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.setSelectionRange(from + select[0], from + select[1]);
}

/** Puts a text where the cursor is. */
export function insertAt(field: HTMLTextAreaElement, text: string): void {
  const { selectionStart: from, selectionEnd: to } = field;
  replaceIn(field, { from, to, insert: text, select: [text.length, text.length] });
}
