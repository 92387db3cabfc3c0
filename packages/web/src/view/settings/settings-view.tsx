import '../../style/settings.css';
import '../../style/settings-lists.css';
import { X } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { SETTINGS_AREAS, type SettingsArea } from '../../narrow/narrow';
import { go, leavePage } from '../../store/place';
import { readSettings } from '../../store/settings-state';
import { settingsTexts } from '../../texts/settings-texts';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { useKeys } from '../base/keys';
import { mayRead, SECTIONS, type Section, sectionAt } from './sections';

interface SettingsProps {
  area: SettingsArea;
  path: readonly string[];
}

/** One's own settings, those of the organization, and groups. */
export function SettingsView({ area, path }: SettingsProps) {
  const t = settingsTexts.value;
  const section = sectionAt(area, path);
  const { Content } = section;
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    content.current?.scrollTo(0, 0);
  }, [section, path.join('/')]);
  useKeys([{ keys: ['Escape'], title: () => texts.value.close, run: leavePage }]);
  const { is_admin: isAdmin } = readSettings();
  return (
    <section class="settings" aria-label={texts.value.settings}>
      <SectionList current={section} />
      <div class="settings-content" ref={content}>
        <header>
          <h1>{t.sections[section.title]}</h1>
          <SectionSelect current={section} />
          <IconButton of={X} label={texts.value.close} onClick={leavePage} />
        </header>
        {area === 'organization' && !isAdmin && <p class="note">{t.readOnly}</p>}
        <Content key={`${area}/${section.id}`} path={path} />
      </div>
    </section>
  );
}

const isShown = (section: Section) => mayRead(section, readSettings());
const pathOf = ({ id }: Section) => (id === '' ? [] : [id]);

function SectionList({ current }: { current: Section }) {
  const t = settingsTexts.value;
  return (
    <nav class="settings-sections" aria-label={texts.value.settings}>
      {SETTINGS_AREAS.map((area) => (
        <section key={area}>
          <h2>{t.areas[area]}</h2>
          <ul>
            {SECTIONS.filter((section) => section.area === area && isShown(section)).map((section) => (
              <li key={section.id}>
                <a
                  href={`#${[area, ...pathOf(section)].join('/')}`}
                  aria-current={section === current ? 'page' : undefined}
                >
                  {t.sections[section.title]}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Instead of the list, where there is no room for it. */
function SectionSelect({ current }: { current: Section }) {
  const t = settingsTexts.value;
  return (
    <select
      class="settings-select"
      aria-label={t.section}
      value={String(SECTIONS.indexOf(current))}
      onChange={({ currentTarget }) => {
        const chosen = SECTIONS[Number(currentTarget.value)];
        if (chosen) go({ kind: 'settings', area: chosen.area, path: pathOf(chosen) });
      }}
    >
      {SETTINGS_AREAS.map((area) => (
        <optgroup key={area} label={t.areas[area]}>
          {SECTIONS.map(
            (section, at) =>
              section.area === area &&
              isShown(section) && (
                <option key={section.id} value={String(at)}>
                  {t.sections[section.title]}
                </option>
              ),
          )}
        </optgroup>
      ))}
    </select>
  );
}
