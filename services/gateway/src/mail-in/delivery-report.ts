/** An address that a mail server will never deliver to. */
export interface FailedAddress {
  address: string;
  /** As the server has put it. */
  reason: string;
}

const MAX_REASON_LENGTH = 500;
const MAX_RECIPIENTS = 20;
/** Statuses that speak of a full mailbox, of a mail's size, or of its content or sender: other mails may be delivered. */
const PASSING = /^5\.(2\.[234]|3\.4|6\.\d+|7\.\d+)$/;

/** The addresses of a delivery status (RFC 3464) that failed for good. */
export function failedAddresses(deliveryStatus: string): FailedAddress[] {
  const blocks = deliveryStatus
    .slice(0, 64 * 1024)
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/);
  return blocks.slice(0, MAX_RECIPIENTS + 1).flatMap((block) => {
    const fields = fieldsOf(block);
    const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
    const isFinal = fields.get('action')?.toLowerCase() === 'failed' && status.startsWith('5') && !PASSING.test(status);
    const address = addressIn(fields.get('original-recipient')) ?? addressIn(fields.get('final-recipient'));
    if (!isFinal || address === null) return [];
    const reason = untyped(fields.get('diagnostic-code') ?? '') || `status ${status}`;
    return [{ address, reason: reason.slice(0, MAX_REASON_LENGTH) }];
  });
}

function fieldsOf(block: string): Map<string, string> {
  const lines = block.replace(/\n[ \t]+/g, ' ').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
}

/** Without its type: `rfc822;ada@example.org`. */
function untyped(field: string): string {
  return field.slice(field.indexOf(';') + 1).trim();
}

function addressIn(field: string | undefined): string | null {
  const address = untyped(field ?? '').replace(/^<|>$/g, '');
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : null;
}
