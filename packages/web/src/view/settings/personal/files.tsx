import { call } from '../../../api/call';
import { settingsTexts } from '../../../texts/settings-texts';
import { language } from '../../../texts/texts';
import { confirm } from '../../base/dialog';
import { attempt } from '../../base/notices';
import { useFetched } from '../fetched';
import { Action, Entry, Listing, Part } from '../listing';
import { dateOf } from '../names';

interface Attachment {
  id: number;
  name: string;
  path_id: string;
  size: number;
  create_time: number;
  messages: { id: number }[];
}

interface Files {
  attachments: Attachment[];
  upload_space_used: number;
}

/** Files that one has uploaded. */
export function UploadedFiles() {
  const t = settingsTexts.value;
  const { answer, load } = useFetched<Files>('/attachments');
  const remove = async ({ id, name }: Attachment) => {
    if (!(await confirm(name, t.deleteFileQuestion, t.delete))) return;
    await attempt(() => call('DELETE', `/attachments/${id}`));
    await load();
  };
  const { attachments = [], upload_space_used: used = 0 } = answer.value ?? {};
  return (
    <Part note={t.spaceUsed(sizeOf(used))}>
      <Listing
        label={t.files}
        items={attachments}
        textOf={({ name }) => name}
        keyOf={({ id }) => id}
        draw={(file) => (
          <Entry title={<FileLink file={file} />} detail={detailOf(file)}>
            {file.messages[0] && (
              <a class="button secondary" href={`#narrow/near/${file.messages[0].id}`}>
                {t.toMessage}
              </a>
            )}
            <Action label={t.delete} of={file.name} run={() => remove(file)} />
          </Entry>
        )}
      />
    </Part>
  );
}

const FileLink = ({ file }: { file: Attachment }) => (
  <a href={`/user_uploads/${file.path_id}`} target="_blank" rel="noreferrer">
    {file.name}
  </a>
);

const detailOf = ({ size, create_time: made }: Attachment) =>
  `${sizeOf(size)} · ${dateOf(made / 1_000, language.value)}`;

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

function sizeOf(bytes: number): string {
  const at = Math.min(SIZES.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1_000)));
  const format = { style: 'unit', unit: SIZES[at] ?? 'byte', maximumFractionDigits: 1 } as const;
  return (bytes / 1_000 ** at).toLocaleString(language.value, format);
}
