// A webhook's signing secret, with how a receiver uses it.
import { useTexts } from '../../language.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Tabs } from '../../parts/page/tabs.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { SAMPLES, SECRET_NAME } from './samples.ts';
import { webhooksTexts } from './texts.ts';

interface WebhookSecretProps {
  readonly secret: string;
  readonly doneLabel: string;
  readonly onDone: () => void;
}

export function WebhookSecret({ secret, doneLabel, onDone }: WebhookSecretProps) {
  const t = useTexts(webhooksTexts);
  const env = { name: SECRET_NAME, file: 'galeri-webhook.env' };
  return (
    <SecretOnce secret={secret} words={t} env={env} doneLabel={doneLabel} onDone={onDone}>
      <Samples />
    </SecretOnce>
  );
}

export function Samples() {
  const t = useTexts(webhooksTexts);
  return (
    <section aria-label={t.check} className="min-w-0">
      <h2 className="m-0 mb-1 text-14 font-semibold">{t.check}</h2>
      <p className="mt-0 mb-2 text-13 text-text-2">{t.checkText}</p>
      <Tabs
        label={t.check}
        tabs={Object.entries(SAMPLES).map(([language, text]) => ({
          id: language,
          name: language,
          content: <CodeBlock label={t.sample(language)} text={text} tall />,
        }))}
      />
    </section>
  );
}
