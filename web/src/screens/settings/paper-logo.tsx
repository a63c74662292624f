// The dealer's logo, which is printed on every paper with a letterhead.
import { useQueryClient } from '@tanstack/react-query';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { call } from '../../api.ts';
import type { DataOf } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useSession } from '../../session.ts';
import { upload } from '../../upload.ts';
import { FormPart } from './frame.tsx';
import { paperSettingsTexts } from './paper-texts.ts';

type Settings = DataOf<'GET settings/paper'>;

/** A chosen picture is shown at once as it will be printed. */
export function PaperLogo({ settings: { logo } }: { readonly settings: Settings }) {
  const t = useTexts(paperSettingsTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const saved = (settings: Settings) => {
    notify({ title: settings.logo === null ? t.logoRemoved : t.logoSaved });
    client.setQueryData(['paper-settings'], settings);
  };
  const choose = useWrite({
    send: (file: File, headers) => {
      const form = new FormData();
      form.append('file', file);
      return upload('POST settings/paper/logo', { params: {}, form, headers });
    },
    onDone: saved,
  });
  const remove = useWrite({
    send: (_: undefined, headers) => call('DELETE settings/paper/logo', { headers }),
    onDone: saved,
  });
  return (
    <FormPart title={t.logo} text={t.logoHint}>
      <ErrorSummary error={choose.error ?? remove.error} names={{ file: t.logo }} />
      <div className="flex flex-wrap items-center gap-3">
        {/* White in both themes: that is what it is printed on. */}
        <span className="grid h-24 w-48 place-items-center rounded-control border border-line bg-[#fff] p-2 text-13 text-[#52525b]">
          {logo === null ? t.noLogo : <img src={logo.url} alt={t.logo} className="max-h-full max-w-full object-contain" />}
        </span>
        {!look && (
          <>
            <input
              ref={input}
              type="file"
              aria-label={t.chooseLogo}
              accept="image/png,image/jpeg"
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) choose.run(file);
                target.value = '';
              }}
            />
            <Button icon={ImageUp} busy={choose.isPending} onClick={() => input.current?.click()}>
              {logo === null ? t.chooseLogo : t.changeLogo}
            </Button>
            {logo !== null && (
              <Button look="quiet" icon={Trash2} busy={remove.isPending} onClick={() => remove.run(undefined)}>
                {t.removeLogo}
              </Button>
            )}
          </>
        )}
      </div>
    </FormPart>
  );
}
