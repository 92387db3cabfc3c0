import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../../api/call';
import { trusted } from '../../../api/trusted';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { attempt } from '../../base/notices';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { MoveActions } from '../order';

/** Linkifiers, and playgrounds for code. */
export function Links() {
  return (
    <>
      <Linkifiers />
      <Try />
      <Playgrounds />
    </>
  );
}

interface Linkifier {
  id: number;
  pattern: string;
  url_template: string;
}

function Linkifiers() {
  const t = settingsTexts.value;
  const { realm_linkifiers: linkifiers, is_admin: isAdmin } = readSettings();
  const ids = linkifiers.map(({ id }) => id);
  const reorder = (order: readonly number[]) =>
    attempt(() => call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: order }));
  const remove = (id: number) => attempt(() => call('DELETE', `/realm/filters/${id}`));
  return (
    <Part title={t.linkifiers} note={t.linkifiersNote}>
      <Listing
        label={t.linkifiers}
        items={linkifiers}
        textOf={({ pattern, url_template: url }) => `${pattern} ${url}`}
        keyOf={({ id }) => id}
        draw={(each) => (
          <Entry title={<code>{each.pattern}</code>} detail={each.url_template}>
            {isAdmin && <MoveActions ids={ids} id={each.id} name={each.pattern} reorder={reorder} />}
            {isAdmin && <Action label={t.edit} of={each.pattern} run={() => editLinkifier(each)} />}
            {isAdmin && <Action label={t.remove} of={each.pattern} run={() => remove(each.id)} />}
          </Entry>
        )}
      />
      {isAdmin && <Action label={t.addLinkifier} run={() => editLinkifier()} />}
    </Part>
  );
}

function editLinkifier(former?: Linkifier): void {
  const t = settingsTexts.value;
  showForm({
    title: former ? t.linkifier : t.addLinkifier,
    action: t.save,
    fields: [
      {
        ...{ kind: 'text', name: 'pattern', label: t.pattern, hint: '#(?P<id>[0-9]+)' },
        ...{ initial: former?.pattern ?? '', isRequired: true },
      },
      {
        ...{ kind: 'text', name: 'url_template', label: t.urlTemplate, hint: 'https://tickets.example.org/{id}' },
        ...{ initial: former?.url_template ?? '', isRequired: true },
      },
    ],
    submit: (values) =>
      former ? call('PATCH', `/realm/filters/${former.id}`, values) : call('POST', '/realm/filters', values),
  });
}

/** After the last key. */
const TRY_AFTER_MS = 400;

/** Shows what the server makes of a text. */
function Try() {
  const t = settingsTexts.value;
  const html = useSignal('');
  const content = useSignal('');
  const show = async () => {
    const found = await attempt(() =>
      call<{ rendered: string }>('POST', '/messages/render', { content: content.value }),
    );
    if (found) html.value = found.rendered;
  };
  useEffect(() => {
    if (content.value === '') return;
    const timer = setTimeout(show, TRY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [content.value]);
  return (
    <Part title={t.tryLinks}>
      <input
        class="wide-field"
        aria-label={t.tryLinks}
        placeholder={t.tryHint}
        onInput={({ currentTarget }) => {
          content.value = currentTarget.value;
        }}
      />
      <div class="content" aria-live="polite" dangerouslySetInnerHTML={{ __html: trusted.createHTML(html.value) }} />
    </Part>
  );
}

function Playgrounds() {
  const t = settingsTexts.value;
  const { realm_playgrounds: playgrounds, is_admin: isAdmin } = readSettings();
  const remove = (id: number) => attempt(() => call('DELETE', `/realm/playgrounds/${id}`));
  return (
    <Part title={t.playgrounds} note={t.playgroundsNote}>
      <Listing
        label={t.playgrounds}
        items={playgrounds}
        textOf={({ name, pygments_language: language }) => `${name} ${language}`}
        keyOf={({ id }) => id}
        draw={(each) => (
          <Entry title={`${each.name} (${each.pygments_language})`} detail={each.url_template}>
            {isAdmin && <Action label={t.remove} of={each.name} run={() => remove(each.id)} />}
          </Entry>
        )}
      />
      {isAdmin && <Action label={t.addPlayground} run={addPlayground} />}
    </Part>
  );
}

function addPlayground(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addPlayground,
    action: t.add,
    fields: [
      { kind: 'text', name: 'name', label: t.name, isRequired: true },
      { kind: 'text', name: 'pygments_language', label: t.codeLanguage, hint: 'Python', isRequired: true },
      {
        ...{ kind: 'text', name: 'url_template', label: t.urlTemplate, isRequired: true },
        hint: 'https://play.example.org/?code={code}',
      },
    ],
    submit: (values) => call('POST', '/realm/playgrounds', values),
  });
}
