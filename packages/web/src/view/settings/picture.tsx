import { settingsTexts } from '../../texts/settings-texts';
import { attempt } from '../base/notices';
import { Action } from './listing';

interface PictureProps {
  address: string;
  label: string;
  isWide?: boolean;
  isDisabled?: boolean;
  upload: (file: File) => Promise<unknown>;
  /** Absent: it is the default one already. */
  remove?: (() => Promise<unknown>) | undefined;
}

/** A picture that is uploaded, or removed. */
export function Picture({ address, label, isWide = false, isDisabled = false, upload, remove }: PictureProps) {
  const t = settingsTexts.value;
  return (
    <div class="uploaded">
      <img src={address} alt={label} height="80" {...(!isWide && { width: 80 })} />
      {!isDisabled && (
        <>
          <label class="button secondary">
            {t.upload}
            <input
              class="hidden"
              type="file"
              accept="image/*"
              aria-label={`${t.upload}: ${label}`}
              onChange={async ({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                if (file) await attempt(() => upload(file));
                currentTarget.value = '';
              }}
            />
          </label>
          {remove && <Action label={t.remove} of={label} run={() => attempt(remove)} />}
        </>
      )}
    </div>
  );
}
