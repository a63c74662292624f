// The error of a connector that is missing or cannot be loaded. A separate file, because the form needs only this of the
// connector's page.
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { BackLink, RecordError } from '../../parts/page/record.tsx';
import { importsTexts } from './texts.ts';

export function ConnectorError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useTexts(importsTexts);
  const action = (
    <Link to="/ice-aktarim" className={buttonLook()}>
      {t.toList}
    </Link>
  );
  const gone = { title: t.gone, text: t.goneText, action };
  return (
    <RecordError
      error={error}
      onRetry={onRetry}
      back={<BackLink to="/ice-aktarim">{t.title}</BackLink>}
      title={t.title}
      gone={gone}
    />
  );
}
