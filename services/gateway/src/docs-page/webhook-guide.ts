/** How receivers verify calls of outgoing webhooks; part of the page and of the document. */
export const WEBHOOK_GUIDE = `When a bot with an outgoing webhook is mentioned, or gets a direct message, its address gets a POST. The JSON body has message, bot_email, \
trigger (mention or direct_message) and token. Calls are signed by the rules of Standard Webhooks: the header webhook-signature is a list of \
v1,SIGNATURE, where SIGNATURE is the base64 of HMAC-SHA256 over webhook-id.webhook-timestamp.BODY; its key is what the signing secret says in base64 \
after whsec_. The owner of the bot gets the secret from GET /bots/{bot_id}/signing_secret. Refuse calls whose webhook-timestamp is more than five \
minutes away; a call that is repeated has the same webhook-id.`;

export const WEBHOOK_PYTHON = `import base64, hashlib, hmac, time

def is_genuine(headers: dict, body: bytes, secret: str) -> bool:
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    sent = [part.removeprefix("v1,") for part in headers["webhook-signature"].split()]
    return any(hmac.compare_digest(expected, each) for each in sent)`;

/** For Node.js; `headers` by lower-case names, `body` as received. */
export const WEBHOOK_JAVASCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(headers, body, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(id + '.' + sentAt + '.').update(body).digest();
  return signatures.split(' ').some((part) => {
    const sent = Buffer.from(part.replace(/^v1,/, ''), 'base64');
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}`;
