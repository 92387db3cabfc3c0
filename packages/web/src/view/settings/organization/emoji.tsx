import { call, callWithFile } from '../../../api/call';
import { personName } from '../../../store/model';
import { isAmong } from '../../../store/rights';
import { type CustomEmoji, readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { attempt } from '../../base/notices';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { byName } from '../names';

/** The organization's own emoji. */
export function CustomEmojiList() {
  const t = settingsTexts.value;
  const state = readSettings('people');
  const emoji = Object.values(state.realm_emoji).filter(({ deactivated }) => !deactivated);
  const mayRemove = (each: CustomEmoji) => state.is_admin || each.author_id === state.user_id;
  const remove = (name: string) => attempt(() => call('DELETE', `/realm/emoji/${encodeURIComponent(name)}`));
  return (
    <Part note={t.emojiNote}>
      {isAmong(state.realm_can_add_custom_emoji_group) && <Action isMain label={t.addEmoji} run={addEmoji} />}
      <Listing
        label={t.sections.emoji}
        items={emoji.toSorted((a, b) => byName(a.name, b.name))}
        textOf={({ name }) => name}
        keyOf={({ id }) => id}
        draw={(each) => (
          <Entry
            picture={<img src={each.source_url} alt="" width="32" height="32" loading="lazy" />}
            title={`:${each.name}:`}
            detail={each.author_id === null ? '' : personName(each.author_id)}
          >
            {mayRemove(each) && <Action label={t.remove} of={each.name} run={() => remove(each.name)} />}
          </Entry>
        )}
      />
    </Part>
  );
}

function addEmoji(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addEmoji,
    action: t.add,
    fields: [
      { kind: 'text', name: 'name', label: t.name, hint: t.emojiNameHint, isRequired: true },
      { kind: 'file', name: 'file', label: t.picture, accept: 'image/*', isRequired: true },
    ],
    submit: ({ name, file }) => {
      const path = `/realm/emoji/${encodeURIComponent(String(name).trim().toLowerCase())}`;
      return callWithFile('POST', path, file as File);
    },
  });
}
