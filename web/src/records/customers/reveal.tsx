// What was written and is kept hidden: masked until it is asked for, with the password again; each look is in the audit log.
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { useRole } from '../../session.ts';
import { revealTexts } from './reveal-texts.ts';

/** Long enough to copy the value, short enough for a person who leaves the desk. */
const SHOWN_MS = 120_000;

interface RevealProps<Secrets> {
  readonly title: string;
  /** The fields that are shown masked. */
  readonly names: readonly string[];
  readonly ask: () => Promise<Secrets>;
  readonly facts: (secrets: Secrets) => readonly Fact[];
  /** Below the facts, once they are shown. */
  readonly note?: (secrets: Secrets) => string;
  /** For those who may not look. */
  readonly kept: string;
}

export function Reveal<Secrets>({ title, names, ask, facts, note, kept }: RevealProps<Secrets>) {
  const t = useTexts(revealTexts);
  const isTrusted = useRole('owner', 'finance');
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (secrets === null) return;
    const hide = setTimeout(() => setSecrets(null), SHOWN_MS);
    return () => clearTimeout(hide);
  }, [secrets]);
  // Not a query: its cache would keep a value that is to be seen once.
  const show = async () => {
    setBusy(true);
    try {
      setSecrets(await ask());
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      setBusy(false);
    }
  };
  const masked = names.map((name) => ({ name, value: <span className="text-text-3">•••</span> }));
  return (
    <Facts title={title} facts={secrets === null ? masked : facts(secrets)}>
      {secrets !== null && note && <p className="mt-2 mb-0 text-12 text-text-2">{note(secrets)}</p>}
      {isTrusted ? (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          {secrets === null ? (
            <Button icon={Eye} busy={busy} onClick={show}>
              {t.show}
            </Button>
          ) : (
            <Button icon={EyeOff} onClick={() => setSecrets(null)}>
              {t.hide}
            </Button>
          )}
          <span className="text-12 text-text-2">{t.hint}</span>
        </div>
      ) : (
        <p className="mt-3 mb-0 text-12 text-text-2">{kept}</p>
      )}
    </Facts>
  );
}
