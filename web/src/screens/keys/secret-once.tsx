// A key's secret, with a request that uses it.
import { useTexts } from '../../language.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { keysTexts } from './texts.ts';

interface KeySecretProps {
  readonly secret: string;
  /** A path the key may call, for the ready request. */
  readonly path: string;
  readonly doneLabel: string;
  readonly onDone: () => void;
}

export const curlFor = (path: string, secret: string): string =>
  `curl -H "Authorization: Bearer ${secret}" "${location.origin}/api/v1/${path}"`;

export function KeySecret({ secret, path, doneLabel, onDone }: KeySecretProps) {
  const t = useTexts(keysTexts);
  return (
    <SecretOnce secret={secret} words={t} env={{ name: 'GALERI_KEY', file: 'galeri.env' }} doneLabel={doneLabel} onDone={onDone}>
      <div>
        <p className="m-0 mb-1 text-13 font-medium">{t.curl}</p>
        <div className="flex items-start gap-2">
          <pre className="code m-0 min-w-0 flex-1 overflow-x-auto rounded-control bg-subtle p-2.5 text-12 whitespace-pre-wrap wrap-anywhere">
            {curlFor(path, '$GALERI_KEY')}
          </pre>
          <CopyButton text={curlFor(path, secret)} />
        </div>
      </div>
    </SecretOnce>
  );
}
