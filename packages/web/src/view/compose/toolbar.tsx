import {
  Bold,
  ChartBar,
  Clock,
  Code,
  Ellipsis,
  Eye,
  EyeOff,
  type IconNode,
  Italic,
  Link,
  List,
  ListOrdered,
  NotebookText,
  Paperclip,
  Pencil,
  Quote,
  Sigma,
  Smile,
  Strikethrough,
  Video,
} from 'lucide';
import { useRef } from 'preact/hooks';
import type { Writing } from '../../store/composing';
import { read } from '../../store/model';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { showMenu } from '../base/menu';
import { pickEmoji } from '../emoji/pick-emoji';
import { insertAt } from './field';
import type { Format } from './formatting';
import { applyFormat, type FieldRef } from './message-field';
import { showSnippets } from './snippets';
import { askTime } from './time-dialog';
import { globalTimeOf } from './times';

interface ToolbarProps {
  writing: Writing;
  field: FieldRef;
  isPreviewed: boolean;
  togglePreview: () => void;
  takeFiles: (files: readonly File[]) => void;
}

/** The buttons that insert into the text. */
export function Toolbar({ writing, field, isPreviewed, togglePreview, takeFiles }: ToolbarProps) {
  const t = texts.value;
  const insert = (text: string) => field.current && insertAt(field.current, text);
  return (
    <div class="toolbar" role="toolbar" aria-label={t.formatting}>
      <IconButton
        of={isPreviewed ? Pencil : Eye}
        label={isPreviewed ? t.backToWriting : t.preview}
        isPressed={isPreviewed}
        onClick={togglePreview}
      />
      {!isPreviewed && (
        <>
          <IconButton
            of={Smile}
            label={t.emoji}
            onClick={({ currentTarget }) => pickEmoji(currentTarget, ({ emoji_name }) => insert(`:${emoji_name}: `))}
          />
          <UploadButton takeFiles={takeFiles} />
          <Formats field={field} insert={insert} />
          <CallButton insert={insert} />
          <IconButton
            of={NotebookText}
            label={t.snippets}
            onClick={({ currentTarget }) => showSnippets(currentTarget, writing.content.value, insert)}
          />
        </>
      )}
    </div>
  );
}

function UploadButton({ takeFiles }: Pick<ToolbarProps, 'takeFiles'>) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton of={Paperclip} label={texts.value.upload} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          takeFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

const FIRST: readonly (readonly [Format, IconNode, string])[] = [
  ['bold', Bold, 'Ctrl+B'],
  ['italic', Italic, 'Ctrl+I'],
  ['link', Link, 'Ctrl+Shift+L'],
];
const OTHERS: readonly (readonly [Format, IconNode])[] = [
  ['code', Code],
  ['quote', Quote],
  ['strike', Strikethrough],
  ['list', List],
  ['numbered', ListOrdered],
  ['spoiler', EyeOff],
  ['math', Sigma],
  ['poll', ChartBar],
];

function Formats({ field, insert }: { field: FieldRef; insert: (text: string) => void }) {
  const apply = (kind: Format) => field.current && applyFormat(field.current, kind);
  const labels = labelsOf();
  const others = OTHERS.map(([kind, icon]) => ({ label: labels[kind], icon, run: () => apply(kind) }));
  const { globalTime, insert: insertIt } = texts.value;
  const askGlobalTime = () => askTime(globalTime, insertIt, (date) => insert(`${globalTimeOf(date)} `), false);
  const time = { label: globalTime, icon: Clock, run: askGlobalTime };
  return (
    <>
      {FIRST.map(([kind, icon, keys]) => (
        <IconButton key={kind} of={icon} label={`${labels[kind]} (${keys})`} onClick={() => apply(kind)} />
      ))}
      <IconButton
        of={Ellipsis}
        label={texts.value.moreFormats}
        onClick={({ currentTarget }) => showMenu(currentTarget, [...others, time])}
      />
    </>
  );
}

function labelsOf(): Record<Format, string> {
  const { bold, italic, strike, link, code, quote, list, numberedList, spoiler, math, poll } = texts.value;
  return { bold, italic, strike, link, code, quote, list, numbered: numberedList, spoiler, math, poll };
}

/** The provider of the organization makes a room of each address. */
function CallButton({ insert }: { insert: (text: string) => void }) {
  const state = read('settings');
  const jitsi = state.realm_available_video_chat_providers?.['jitsi_meet']?.id;
  const server = state.realm_jitsi_server_url ?? state.server_jitsi_server_url;
  if (jitsi === undefined || state.realm_video_chat_provider !== jitsi || !server) return null;
  const start = () => {
    const [a = 0, b = 0] = crypto.getRandomValues(new Uint32Array(2));
    insert(`[${texts.value.joinCall}](${server.replace(/\/$/, '')}/${a}${b}) `);
  };
  return <IconButton of={Video} label={texts.value.videoCall} onClick={start} />;
}
