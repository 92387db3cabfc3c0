const MAX_LENGTH = 254;
// As browsers check <input type=email>: plain ASCII, and no colon, which would end the name in HTTP Basic.
const LOCAL_PART = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Whether a text is an address that accounts may have and mails may go to; nothing in it can end a header or a list. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    text.length <= MAX_LENGTH &&
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.every((label) => LABEL.test(label))
  );
}
