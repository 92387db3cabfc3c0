import { call } from '../../../api/call';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { language } from '../../../texts/texts';
import { confirm, Dialog, showDialog } from '../../base/dialog';
import { attempt } from '../../base/notices';
import { useFetched } from '../fetched';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { timeOf } from '../names';
import { Copyable } from '../secret';

interface Key {
  id: number;
  label: string;
  date_created: number;
  expires_at: number | null;
  is_current: boolean;
}

/** Programs and browsers that are signed in as oneself. */
export function Keys() {
  const t = settingsTexts.value;
  const { answer, load } = useFetched<{ api_keys: Key[] }>('/users/me/api_keys');
  const keys = (answer.value?.api_keys ?? []).toSorted(
    (a, b) => Number(b.is_current) - Number(a.is_current) || b.id - a.id,
  );
  const others = keys.filter(({ is_current: isCurrent }) => !isCurrent);
  const isSession = ({ expires_at: end }: Key) => end !== null;
  const end = async (ended: readonly Key[]) => {
    for (const { id } of ended) await attempt(() => call('DELETE', `/users/me/api_keys/${id}`));
    await load();
  };
  return (
    <>
      <Part title={t.sessions} note={t.sessionsNote}>
        <KeyList keys={keys.filter(isSession)} end={(key) => end([key])} />
        {others.length > 0 && <Action label={t.endOthers} run={() => endAll(others, end)} />}
      </Part>
      <Part title={t.apiKeys} note={t.apiKeysNote}>
        <KeyList keys={keys.filter((key) => !isSession(key))} end={(key) => end([key])} />
        <Action label={t.newKey} run={() => makeKey(load)} />
      </Part>
    </>
  );
}

async function endAll(others: readonly Key[], end: (keys: readonly Key[]) => Promise<void>): Promise<void> {
  const t = settingsTexts.value;
  if (await confirm(t.endOthers, t.endOthersQuestion(others.length), t.end)) await end(others);
}

function KeyList({ keys, end }: { keys: readonly Key[]; end: (key: Key) => void }) {
  const t = settingsTexts.value;
  return (
    <Listing
      label={t.keys}
      items={keys}
      textOf={({ label }) => label}
      keyOf={({ id }) => id}
      draw={(key) => (
        <Entry
          title={
            <>
              {key.label || t.unnamed} {key.is_current && <em class="this-one">{t.thisOne}</em>}
            </>
          }
          detail={t.since(timeOf(key.date_created, language.value))}
        >
          {!key.is_current && <Action label={t.end} of={key.label} run={() => end(key)} />}
        </Entry>
      )}
    />
  );
}

/** A key more, and a file by which programs know it. No other key or session ends. */
function makeKey(load: () => Promise<void>): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newKey,
    note: t.newKeyNote,
    action: t.create,
    fields: [{ kind: 'text', name: 'label', label: t.keyLabel, isRequired: true, maxLength: 100 }],
    async submit(values) {
      const { api_key: key } = await call<{ api_key: string }>('POST', '/users/me/api_keys', values);
      showDialog((close) => <NewKey value={key} close={close} />);
      await load();
    },
  });
}

function NewKey({ value, close }: { value: string; close: () => void }) {
  const t = settingsTexts.value;
  const { delivery_email: email, realm_url: site } = readSettings();
  const file = `[api]\nemail=${email}\nkey=${value}\nsite=${site}\n`;
  return (
    <Dialog title={t.newKey} close={close}>
      <p>{t.shownOnce}</p>
      <Copyable text={value} label={t.newKey} />
      <p>{t.keyFileNote}</p>
      <a class="secondary" download="parleyrc" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
        {t.keyFile}
      </a>
    </Dialog>
  );
}
