// What a dealer's papers bear of its own: the logo, and clauses paper by paper.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaperSettings } from '../../../../src/domain/papers/paper-settings.ts';
import { CLAUSE_CODES, type ClauseCode, MAX_CLAUSES } from '../../../../src/domain/papers/papers-states.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { picked } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextArea } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { useSession } from '../../session.ts';
import { FormPart, SettingsFrame } from './frame.tsx';
import { PaperLogo } from './paper-logo.tsx';
import { paperSettingsTexts } from './paper-texts.ts';

export function PaperScreen() {
  const t = useTexts(paperSettingsTexts);
  const settings = useQuery({ queryKey: ['paper-settings'], queryFn: ({ signal }) => call('GET settings/paper', { signal }) });
  return (
    <SettingsFrame title={t.title} description={t.description}>
      <Loaded query={settings} rows={4}>
        {(found) => (
          <>
            <PaperLogo settings={found} />
            <ClausesForm settings={found} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

/** A text that was emptied is removed. */
export const clausesBody = (typed: Partial<Record<ClauseCode, string>>): RawBody<'PATCH settings/paper'> =>
  Object.fromEntries(CLAUSE_CODES.map((code) => [code, typed[code]?.trim() ? typed[code] : null])) as Record<
    ClauseCode,
    string | null
  >;

function ClausesForm({ settings }: { readonly settings: PaperSettings }) {
  const t = useTexts(paperSettingsTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const [code, setCode] = useState<ClauseCode>('satis_sozlesmesi');
  const [typed, setTyped] = useState<Partial<Record<ClauseCode, string>>>({});
  const text = typed[code] ?? settings[code] ?? '';
  const write = useWrite({
    send: (body: RawBody<'PATCH settings/paper'>, headers) => call('PATCH settings/paper', { rawBody: body, headers }),
    onDone: (saved) => {
      notify({ title: t.saved });
      setTyped({});
      client.setQueryData(['paper-settings'], saved);
    },
  });
  const changed = CLAUSE_CODES.filter((one) => typed[one] !== undefined && typed[one] !== (settings[one] ?? ''));
  const body = picked(clausesBody(typed), changed);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        write.run(body);
      }}
    >
      <ErrorSummary error={write.error} names={t.names} />
      <FormPart title={t.clauses} text={t.hint}>
        <div className="flex flex-col gap-4">
          <Field label={t.paper}>
            <Select
              value={code}
              options={CLAUSE_CODES.map((one) => ({
                value: one as string,
                label: settings[one] === null ? t.names[one] : `${t.names[one]} (${t.has})`,
              }))}
              onChange={(chosen) => setCode(chosen as ClauseCode)}
            />
          </Field>
          <Field id={code} label={t.names[code]}>
            <TextArea
              rows={10}
              maxLength={MAX_CLAUSES}
              value={text}
              disabled={look}
              onChange={(now) => setTyped({ ...typed, [code]: now })}
            />
          </Field>
          {!look && (
            <span>
              <Button look="primary" type="submit" busy={write.isPending} disabled={changed.length === 0}>
                {t.save}
              </Button>
            </span>
          )}
        </div>
      </FormPart>
    </form>
  );
}
