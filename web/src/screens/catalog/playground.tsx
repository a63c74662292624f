// Tries a live GET endpoint: a form for its parameters, and the reply as a key would get it. Runs as the signed-in person.
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { EndpointDetail, ParamLine } from '../../../../src/panel/developer/catalog.ts';
import { call } from '../../api.ts';
import { apiPath } from '../../environment.ts';
import { useLocale, useTexts } from '../../language.ts';
import { HttpStatusBadge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field, NumberInput, Select, TextInput } from '../../parts/input/field.tsx';
import { preferences } from '../../preferences.ts';
import { useFormat } from '../../session.ts';
import { filledPath } from './samples.ts';
import { catalogTexts } from './texts.ts';

export type Values = Readonly<Record<string, string>>;

interface PlaygroundProps {
  readonly endpoint: EndpointDetail;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

interface Result {
  readonly status: number;
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly requestId: string | null;
  readonly left: string | null;
  readonly milliseconds: number;
}

export function Playground({ endpoint, values, onChange }: PlaygroundProps) {
  const t = useTexts(catalogTexts);
  const [result, setResult] = useState<Result>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const open = endpoint.playground === 'open';
  const missing = endpoint.params.some((param) => param.required && !values[param.name]?.trim());
  const reason = !open ? t.cannot[endpoint.playground] : missing ? t.fillPath : null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason !== null) return;
    setBusy(true);
    setProblem(undefined);
    try {
      setResult(await runEndpoint(endpoint, values));
    } catch {
      setProblem(t.unreachable);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="playground" className="card p-4">
      <h2 id="playground" className="m-0 text-16 font-semibold">
        {t.playground}
      </h2>
      {open && <p className="mt-1 mb-0 text-13 text-text-2">{t.playgroundHint}</p>}
      <form onSubmit={submit} className="mt-3 flex flex-col gap-3">
        {open && <ParamFields params={endpoint.params.slice(0, AT_HAND)} values={values} onChange={onChange} />}
        {open && endpoint.params.length > AT_HAND && (
          <details>
            <summary className="min-h-6 text-13 font-medium text-accent">
              {t.moreParams(endpoint.params.length - AT_HAND)}
            </summary>
            <div className="pt-3">
              <ParamFields params={endpoint.params.slice(AT_HAND)} values={values} onChange={onChange} />
            </div>
          </details>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            type="submit"
            icon={Play}
            busy={busy}
            disabled={reason !== null}
            aria-describedby="playground-why"
          >
            {t.run}
          </Button>
          <span id="playground-why" className="min-w-0 flex-1 text-13 text-text-2">
            {reason}
          </span>
        </div>
      </form>
      {problem && (
        <p role="alert" className="mt-3 mb-0 text-13 font-medium text-danger">
          {problem}
        </p>
      )}
      {result && <ResultView result={result} />}
    </section>
  );
}

/** How many fields are shown at first; the others are collapsed, because sixteen fields are too many on a phone. */
const AT_HAND = 6;

interface ParamFieldsProps {
  readonly params: readonly ParamLine[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

function ParamFields({ params, values, onChange }: ParamFieldsProps) {
  if (params.length === 0) return null;
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? ''}
          onChange={(value) => onChange({ ...values, [param.name]: value })}
        />
      ))}
    </div>
  );
}

function ParamField({ param, value, onChange }: { param: ParamLine; value: string; onChange: (value: string) => void }) {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  const label = <span className="code">{param.name}</span>;
  if (param.values !== null)
    return (
      <Field label={label}>
        <Select
          value={value}
          onChange={onChange}
          options={[{ value: '', label: t.any }, ...param.values.map((one) => ({ value: one, label: one }))]}
        />
      </Field>
    );
  const Input = param.kind === 'integer' ? NumberInput : TextInput;
  return (
    <Field label={label} hint={param.allowed[locale]}>
      <Input value={value} onChange={onChange} placeholder={param.preset ?? ''} autoComplete="off" spellCheck={false} />
    </Field>
  );
}

const SHOWN_HEADERS = ['content-type', 'cache-control', 'link', 'retry-after', 'allow'];

async function runEndpoint({ path, params }: EndpointDetail, values: Values): Promise<Result> {
  const query = params.filter((param) => param.in === 'query' && values[param.name]?.trim());
  const text = new URLSearchParams(query.map(({ name }) => [name, values[name]!.trim()])).toString();
  const started = performance.now();
  const response = await fetch(`${apiPath()}/try/${filledPath(path, values)}${text === '' ? '' : `?${text}`}`, {
    credentials: 'same-origin',
    headers: { 'Accept-Language': preferences().locale },
  });
  const body = await response.text();
  const milliseconds = performance.now() - started;
  // The session has ended: a normal call leads to the sign-in page and back.
  if (response.status === 401) await call('GET session');
  return {
    status: response.status,
    text: body.startsWith('{') ? JSON.stringify(JSON.parse(body), null, 2) : body,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    requestId: response.headers.get('x-request-id'),
    left: response.headers.get('x-ratelimit-remaining'),
    milliseconds,
  };
}

function ResultView({ result }: { readonly result: Result }) {
  const t = useTexts(catalogTexts);
  const format = useFormat();
  return (
    <section aria-label={t.result} className="mt-4 flex flex-col gap-3 border-t border-line pt-3">
      <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
        <HttpStatusBadge status={result.status} />
        <span>
          <span className="text-text-2">{t.time}</span>{' '}
          <span className="tabular">{format.milliseconds(result.milliseconds)}</span>
        </span>
        {result.requestId && (
          <span className="flex min-w-0 items-center gap-1">
            <span className="text-text-2">{t.requestId}</span> <span className="code wrap-anywhere">{result.requestId}</span>
            <CopyButton text={result.requestId} />
          </span>
        )}
        {result.left !== null && (
          <span>
            <span className="text-text-2">{t.left}</span> <span className="tabular">{result.left}</span>
          </span>
        )}
      </div>
      <CodeBlock label={t.headers} text={result.headers.map(([name, value]) => `${name}: ${value}`).join('\n')} />
      <CodeBlock label={t.envelope} text={result.text} tall />
    </section>
  );
}
