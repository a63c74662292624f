// Instead of the panel where the sandbox does not open: the service has none, or the role may not enter it.
import { addressIn } from '../environment.ts';
import { useTexts } from '../language.ts';
import { buttonLook } from '../parts/button.tsx';
import { ErrorState } from '../parts/page/states.tsx';
import { shellTexts } from '../texts/shell.ts';

export function SandboxRefused({ error }: { readonly error: unknown }) {
  const t = useTexts(shellTexts);
  return (
    <main className="mx-auto flex min-h-dvh max-w-[56ch] flex-col items-center justify-center">
      <h1 className="sr-only">{t.sandbox}</h1>
      <ErrorState error={error} />
      <a href={addressIn('production')} className={buttonLook('primary')}>
        {t.toLive}
      </a>
    </main>
  );
}
