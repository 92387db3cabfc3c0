import { ROLES } from '@parley/shared/values';
import { eg } from '../cast/eg';
import type { Demo, DemoUser } from './demo-file';
import type { UnknownKeys } from './ensure-demo';

const NEW_ACCOUNT = `A new account:
npm run -s admin -- user create --realm '' --email you@example.com --name You`;

/** The output of `npm start` when everything is ready: accounts to sign in with, and commands to paste. */
export function greeting(url: string, demo: Demo | UnknownKeys): string {
  if ('whyUnknown' in demo) return `ready ${url}\n\n${demo.whyUnknown}\n${NEW_ACCOUNT}\n`;
  return [
    `ready ${url}`,
    '',
    ...signingIn(url, demo),
    'API keys of the demo organization:',
    '',
    ...demo.users.map(presentUser),
    '',
    `Channels: ${eg.general} (everybody), ${eg.leads.name} (private: Iris and Dan).`,
    '',
    'The API, to paste into another shell: an account, the newest messages, an event queue, a message, and its event.',
    '',
    ...tour(url, demo),
    '',
    'Ctrl-C stops everything; the data stay.',
    '',
  ].join('\n');
}

function signingIn(url: string, { users: [iris, dan, eve], password }: Demo): string[] {
  if (password === undefined || !iris || !dan || !eve) return [];
  return [
    `Open ${url} in a browser and sign in:`,
    '',
    `  e-mail    ${dan.email}`,
    `  password  ${password}`,
    '',
    `To answer yourself, sign in as ${eve.email} with the same password in another browser or a private window.`,
    `To administer the organization, sign in as ${iris.email} with the same password.`,
    '',
  ];
}

function presentUser({ email, role, apiKey }: DemoUser): string {
  const roleName = Object.entries(ROLES).find(([, value]) => value === role)?.[0] ?? String(role);
  return `  ${email.padEnd(20)} ${roleName.padEnd(8)} ${apiKey}`;
}

function tour(url: string, { users }: Demo): string[] {
  const [, dan, eve] = users as [DemoUser, DemoUser, DemoUser];
  const as = ({ email, apiKey }: DemoUser) => `curl -sS -w '\\n' -u ${email}:${apiKey}`;
  const api = `${url}/api/v1`;
  return [
    `${as(dan)} ${api}/users/me`,
    `${as(dan)} '${api}/messages?anchor=newest&num_before=10&num_after=0'`,
    `QUEUE=$(${as(eve)} ${api}/register -d 'event_types=["message"]' | node -pe 'JSON.parse(fs.readFileSync(0)).queue_id')`,
    `${as(dan)} ${api}/messages -d type=channel -d to=general -d topic=lunch -d content=Hello`,
    `${as(eve)} "${api}/events?queue_id=$QUEUE&last_event_id=-1"`,
  ];
}
