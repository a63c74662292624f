// K5: a new secret for the same key, while the old one stays valid for a while.
import { type FormEvent, useState } from 'react';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import type { SecretOnce as Made } from '../../../../../src/panel/keys/key-writes.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { RadioGroup } from '../../../parts/input/choices.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { Drawer } from '../../../parts/overlay/dialog.tsx';
import { useSecret } from '../../../parts/secret-once.tsx';
import { useFormat } from '../../../session.ts';
import { useMayChange, useRefreshKeys } from '../key-data.ts';
import { Warning } from '../key-parts.tsx';
import { KeySecret } from '../secret-once.tsx';
import { SecretTable } from '../secret-table.tsx';
import { keysTexts } from '../texts.ts';

interface DrawerProps {
  readonly shown: KeyDetail;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function RotateDrawer({ shown, open, onClose }: DrawerProps) {
  const t = useTexts(keysTexts);
  const [made, setMade] = useSecret<Made>();
  const refresh = useRefreshKeys();
  const close = () => {
    onClose();
    // If the guard keeps the person here, the secret stays visible.
    if (made === null) void refresh();
  };
  return (
    <Drawer
      open={open}
      onClose={close}
      title={made === null ? t.rotateTitle(shown.name) : t.rotatedTitle}
      description={made === null ? t.rotateText : shown.name}
    >
      {open && made !== null && (
        <KeySecret
          secret={made.secret}
          path="vehicles"
          doneLabel={t.done}
          onDone={() => {
            setMade(null);
            onClose();
            void refresh();
          }}
        />
      )}
      {open && made === null && <RotateForm shown={shown} onMade={setMade} />}
    </Drawer>
  );
}

const OVERLAPS = ['0', '3600', '86400', '604800'] as const;

function RotateForm({ shown, onMade }: { readonly shown: KeyDetail; readonly onMade: (made: Made) => void }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const { owner } = useMayChange();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('86400');
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const ended = shown.state === 'expired' || shown.state === 'revoked';
  const foreign = shown.risks.sensitive > 0 && !owner;
  const unconfirmed = overlap === '0' && typed.trim() !== shown.name;
  const rotate = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const confirmation = overlap === '0' ? { typed_name: typed.trim() } : {};
      const body = { overlap_seconds: Number(overlap), secret_id: shown.secrets[0]!.id, ...confirmation };
      onMade(await call('POST keys/{key_id}/rotate', { params: { key_id: shown.id }, body }));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={rotate} className="flex flex-col gap-4">
      <ErrorSummary error={failure} />
      {ended && <Warning tone="dest">{t.notRotatable}</Warning>}
      {foreign && <Warning tone="sens">{t.ownerOnlyChange}</Warning>}
      <RadioGroup
        label={t.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, label: t.overlaps[value], disabled: ended || foreign }))}
        onChange={setOverlap}
      />
      <p role="status" className="m-0 text-13 text-text-2">
        {overlap === '0' ? t.overlapNow : t.overlapEnds(format.dateTime(Date.now() + Number(overlap) * 1000), format.zone)}
      </p>
      {overlap === '0' && (
        <Field id="typed_name" label={t.typeToRotate(shown.name)}>
          <TextInput value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
        </Field>
      )}
      <div>
        <Button look="primary" type="submit" busy={busy} disabled={ended || foreign || unconfirmed}>
          {t.rotateNow}
        </Button>
      </div>
      <section aria-label={t.secrets} className="border-t border-line pt-3">
        <h3 className="m-0 mb-2 text-13 font-semibold">{t.secrets}</h3>
        <SecretTable secrets={shown.secrets} />
      </section>
    </form>
  );
}
