import { texts } from '../../texts/texts';
import { copyText } from '../base/copy';
import { withPart } from '../base/lazily';
import { attempt, say } from '../base/notices';
import { showPersonCard } from '../people/person-card';
import { showGroupCard } from './group-card';

/** Clicks on parts of rendered content, which are no components. */
export function onContentClick(event: MouseEvent): void {
  const target = event.target as HTMLElement;
  const act = (selector: string, run: (part: HTMLElement) => void) => {
    const part = target.closest<HTMLElement>(selector);
    if (!part || event.defaultPrevented) return;
    event.preventDefault();
    run(part);
  };
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  act('.copy-code', (part) => void copyCode(part));
  act('.spoiler-toggle', toggleSpoiler);
  act('[data-user-id][role="button"]', showPerson);
  act('[data-user-group-id][role="button"]', showGroup);
  if (isPlain) act('a.shown-picture', showPicture);
}

/** Mentions are no real buttons, because their text belongs to a sentence. */
export function onContentKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (target.getAttribute('role') !== 'button' || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  target.click();
}

async function copyCode(part: HTMLElement): Promise<void> {
  const code = part.closest('.codehilite')?.querySelector('code')?.textContent ?? '';
  await attempt(async () => {
    await copyText(code);
    say(texts.value.copied);
  });
}

function toggleSpoiler(toggle: HTMLElement): void {
  const content = toggle.closest('.spoiler-block')?.querySelector<HTMLElement>('.spoiler-content');
  if (!content) return;
  content.hidden = !content.hidden;
  toggle.setAttribute('aria-expanded', String(!content.hidden));
  toggle.textContent = content.hidden ? texts.value.reveal : texts.value.conceal;
}

function showPerson(part: HTMLElement): void {
  const userId = Number(part.dataset['userId']);
  showPersonCard(part, userId);
}

function showGroup(part: HTMLElement): void {
  const groupId = Number(part.dataset['userGroupId']);
  showGroupCard(part, groupId);
}

function showPicture(part: HTMLElement): void {
  withPart(import('./lightbox'), ({ showLightbox }) => showLightbox(part as HTMLAnchorElement));
}
