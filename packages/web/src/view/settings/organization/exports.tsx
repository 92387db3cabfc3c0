import { call } from '../../../api/call';
import { personName } from '../../../store/model';
import { settingsTexts } from '../../../texts/settings-texts';
import { language } from '../../../texts/texts';
import { confirm } from '../../base/dialog';
import { attempt, say } from '../../base/notices';
import { useFetched } from '../fetched';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { timeOf } from '../names';

interface DataExport {
  id: number;
  acting_user_id: number;
  export_time: number;
  deleted_timestamp: number | null;
  failed_timestamp: number | null;
  export_url: string | null;
  pending: boolean;
  export_type: 1 | 2;
}

/** Archives of the organization. */
export function Exports() {
  const t = settingsTexts.value;
  const { answer, load } = useFetched<{ exports: DataExport[] }>('/export/realm', {}, 'realm_export');
  const exports = (answer.value?.exports ?? []).toSorted((a, b) => b.id - a.id);
  const consents = useFetched<{ export_consents: { consented: boolean }[] }>('/export/realm/consents').answer.value;
  const remove = async ({ id, export_time: madeAt }: DataExport) => {
    if (!(await confirm(timeOf(madeAt, language.value), t.deleteExportQuestion, t.delete))) return;
    await attempt(() => call('DELETE', `/export/realm/${id}`));
    await load();
  };
  const people = consents?.export_consents.length ?? 0;
  const agreed = consents?.export_consents.filter(({ consented }) => consented).length ?? 0;
  return (
    <Part note={`${t.exportsNote} ${t.consents(agreed, people)}`}>
      <Action isMain label={t.newExport} run={() => begin(load)} />
      <Listing
        label={t.sections.exports}
        items={exports}
        textOf={({ acting_user_id: id }) => personName(id)}
        keyOf={({ id }) => id}
        draw={(each) => (
          <Entry
            title={timeOf(each.export_time, language.value)}
            detail={`${t.exportTypes[each.export_type]} · ${personName(each.acting_user_id)} · ${stateOf(each)}`}
          >
            {each.export_url && (
              <>
                <a class="button secondary" href={each.export_url} download>
                  {t.download}
                </a>
                <Action label={t.delete} of={timeOf(each.export_time, language.value)} run={() => remove(each)} />
              </>
            )}
          </Entry>
        )}
      />
    </Part>
  );
}

function stateOf({ pending, failed_timestamp: failed, deleted_timestamp: deleted }: DataExport): string {
  const t = settingsTexts.value;
  if (pending) return t.exportPending;
  if (failed !== null) return t.exportFailed;
  return deleted === null ? t.exportReady : t.exportDeleted;
}

function begin(load: () => Promise<void>): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newExport,
    action: t.create,
    fields: [
      {
        kind: 'choice',
        name: 'export_type',
        label: t.kind,
        choices: [
          [1, t.exportTypes[1]],
          [2, t.exportTypes[2]],
        ],
      },
    ],
    async submit(values) {
      await call('POST', '/export/realm', values);
      say(t.exportPending);
      await load();
    },
  });
}
