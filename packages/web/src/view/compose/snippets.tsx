import { useSignal } from '@preact/signals';
import { Plus, Trash2 } from 'lucide';
import { call } from '../../api/call';
import { read, type SavedSnippet } from '../../store/model';
import { texts } from '../../texts/texts';
import { confirm, Dialog, showDialog } from '../base/dialog';
import { Icon, IconButton } from '../base/icon';
import { showPopover } from '../base/menu';
import { attempt } from '../base/notices';
import { DialogButtons } from './dialog-buttons';

/** Texts that the person has saved: `insert` gets the chosen one. `content` is offered for a new one. */
export function showSnippets(anchor: HTMLElement, content: string, insert: (text: string) => void): void {
  showPopover(anchor, (close) => (
    <Snippets
      insert={(text) => {
        close();
        insert(text);
      }}
      create={() => {
        close();
        showDialog((closeDialog) => <NewSnippet content={content} close={closeDialog} />);
      }}
    />
  ));
}

function Snippets({ insert, create }: { insert: (text: string) => void; create: () => void }) {
  const { saved_snippets: snippets } = read('writing');
  const { noSnippets, newSnippet, snippets: title } = texts.value;
  return (
    <section class="snippets" aria-label={title}>
      <ul>
        {snippets.map((each) => (
          <SnippetRow key={each.id} snippet={each} insert={insert} />
        ))}
      </ul>
      {snippets.length === 0 && <p class="quiet-text">{noSnippets}</p>}
      <button type="button" class="wide" onClick={create}>
        <Icon of={Plus} /> {newSnippet}
      </button>
    </section>
  );
}

function SnippetRow({
  snippet: { id, title, content },
  insert,
}: {
  snippet: SavedSnippet;
  insert: (text: string) => void;
}) {
  const remove = async () => {
    const { deleteSnippet, deleteIt } = texts.value;
    const isWanted = await confirm(deleteSnippet(title), content, deleteIt);
    if (isWanted) await attempt(() => call('DELETE', `/saved_snippets/${id}`));
  };
  return (
    <li>
      <button type="button" class="wide" onClick={() => insert(content)}>
        <span>
          <strong>{title}</strong>
          <small>{content}</small>
        </span>
      </button>
      <IconButton of={Trash2} label={texts.value.deleteSnippet(title)} onClick={() => void remove()} />
    </li>
  );
}

const MOST_TITLE = 60;

function NewSnippet({ content, close }: { content: string; close: () => void }) {
  const title = useSignal('');
  const text = useSignal(content);
  const { newSnippet, snippetTitle, snippetText, save } = texts.value;
  const finish = async (event: Event) => {
    event.preventDefault();
    const snippet = { title: title.value.trim(), content: text.value.trim() };
    if (await attempt(() => call('POST', '/saved_snippets', snippet))) close();
  };
  return (
    <Dialog title={newSnippet} close={close}>
      <form class="snippet-form" onSubmit={(event) => void finish(event)}>
        <label>
          {snippetTitle}
          <input
            required
            maxLength={MOST_TITLE}
            value={title.value}
            onInput={({ currentTarget }) => {
              title.value = currentTarget.value;
            }}
          />
        </label>
        <label>
          {snippetText}
          <textarea
            required
            rows={6}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        </label>
        <DialogButtons action={save} close={close} />
      </form>
    </Dialog>
  );
}
