import { type Demo, type DemoUser, writeDemo } from './demo-file';

interface Written {
  by: string;
  content: string;
  /** A topic of #general, or the name of a person. */
  topic?: string;
  to?: string;
}

/** Somebody who signs in finds something to read and to answer. The first name of a person is enough. */
const CONVERSATIONS: readonly Written[] = [
  {
    by: 'Iris',
    topic: 'welcome',
    content:
      'Welcome! A channel has topics, and this one is *welcome*. Write an answer below, or begin another topic: everybody in #**general** sees it at once.',
  },
  {
    by: 'Eve',
    topic: 'welcome',
    content: 'Messages are **Markdown**, with code, formulas like $$e^{i\\pi} + 1 = 0$$, polls, files and emoji :tada:',
  },
  { by: 'Faye', topic: 'lunch', content: 'What is there today?' },
  {
    by: 'Eve',
    topic: 'lunch',
    content: '@**Dan Brooks** soup at noon? Sign in as me in another browser to answer yourself.',
  },
  { by: 'Eve', topic: 'lunch', content: '/poll Where do we meet?\nIn the kitchen\nAt the door' },
  { by: 'Iris', to: 'Dan', content: 'Hello Dan! This conversation is between the two of us. Press `?` for all keys.' },
];

/** Writes the first conversations of a new demo organization; once, also if it is interrupted. */
export async function writeConversations(dataDir: string, url: string, demo: Demo): Promise<void> {
  if (!demo.needsConversations) return;
  for (const [at, each] of CONVERSATIONS.entries()) await send(url, demo, each, `demo-${demo.realmId}-${at}`);
  demo.needsConversations = false;
  writeDemo(dataDir, demo);
}

async function send(url: string, demo: Demo, { by, topic, to, content }: Written, key: string): Promise<void> {
  const { email, apiKey } = userNamed(demo, by);
  const address =
    to === undefined ? { type: 'channel', to: 'general', topic: topic as string } : directTo(userNamed(demo, to));
  const response = await fetch(`${url}/api/v1/messages`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'Idempotency-Key': key,
    },
    // As people's own messages are.
    body: new URLSearchParams({ ...address, content, read_by_sender: 'true' }),
  });
  if (!response.ok) throw new Error(`the demo's conversations cannot be written: ${await response.text()}`);
}

const directTo = ({ userId }: DemoUser) => ({ type: 'direct', to: JSON.stringify([userId]) });

function userNamed({ users }: Demo, name: string): DemoUser {
  return users.find(({ fullName }) => fullName.startsWith(`${name} `)) as DemoUser;
}
