// The request and reply of an endpoint as tables.
import type { ReactNode } from 'react';
import type { EndpointDetail, FieldView, ParamLine } from '../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { catalogTexts } from './texts.ts';

export function Shapes({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const t = useTexts(catalogTexts);
  const inPath = endpoint.params.filter((param) => param.in === 'path');
  const inQuery = endpoint.params.filter((param) => param.in === 'query');
  return (
    <>
      <section aria-labelledby="request" className="card min-w-0 p-4">
        <h2 id="request" className="m-0 mb-2 text-16 font-semibold">
          {t.request}
        </h2>
        {endpoint.params.length === 0 && endpoint.takes.length === 0 && (
          <p className="m-0 text-13 text-text-2">{endpoint.built ? t.noParams : t.notBuilt}</p>
        )}
        <ParamTable caption={t.pathParams} params={inPath} />
        <ParamTable caption={t.queryParams} params={inQuery} />
        <FieldTable caption={t.bodyFields} fields={endpoint.takes} />
        {!endpoint.built && inPath.length > 0 && <p className="mt-3 mb-0 text-13 text-text-2">{t.notBuilt}</p>}
      </section>
      {endpoint.reply && (
        <section aria-labelledby="reply" className="card min-w-0 p-4">
          <h2 id="reply" className="m-0 mb-2 text-16 font-semibold">
            {t.result}
          </h2>
          <FieldTable caption={t.replyFields} fields={endpoint.reply.fields} />
          <h3 className="mt-4 mb-2 text-13 font-semibold">{t.sampleReply}</h3>
          <CodeBlock label={t.sampleReply} text={JSON.stringify(envelopeOf(endpoint.reply), null, 2)} />
        </section>
      )}
    </>
  );
}

const envelopeOf = ({ list, sample }: NonNullable<EndpointDetail['reply']>) => ({
  success: true,
  data: sample,
  meta: list
    ? { limit: 25, offset: 0, count: 1 }
    : { request_id: 'req_01kd2x7v9m4q8r3t6w5y1z0abc', timestamp: '2026-11-14T21:03:11+00:00', api_version: 'v1' },
});

function ParamTable({ caption, params }: { readonly caption: string; readonly params: readonly ParamLine[] }) {
  const t = useTexts(catalogTexts);
  const locale = useLocale();
  return (
    <ShapeTable
      caption={caption}
      second={t.takes}
      lines={params.map((param) => ({
        name: param.name,
        cell: (
          <>
            {param.values ? <ValueList values={param.values} /> : (t.kinds[param.allowed[locale]] ?? param.allowed[locale])}
            {param.required && <Remark>{t.required}</Remark>}
            {param.preset !== null && <Remark>{t.preset(param.preset)}</Remark>}
          </>
        ),
      }))}
    />
  );
}

function FieldTable({ caption, fields }: { readonly caption: string; readonly fields: readonly FieldView[] }) {
  const t = useTexts(catalogTexts);
  return (
    <ShapeTable
      caption={caption}
      second={t.type}
      lines={fields.map((field) => ({
        name: field.path,
        cell: (
          <>
            {field.kinds
              .filter((kind) => kind !== 'null')
              .map((kind) => t.kinds[kind] ?? kind)
              .join(' / ')}
            {field.kinds.includes('null') && <Remark>{t.orNull}</Remark>}
            {field.deprecated && <Remark>{t.deprecated}</Remark>}
            {field.values && (
              <span className="mt-1 block">
                <ValueList values={field.values} />
              </span>
            )}
          </>
        ),
      }))}
    />
  );
}

interface ShapeTableProps {
  readonly caption: string;
  readonly second: string;
  readonly lines: readonly { readonly name: string; readonly cell: ReactNode }[];
}

function ShapeTable({ caption, second, lines }: ShapeTableProps) {
  const t = useTexts(catalogTexts);
  if (lines.length === 0) return null;
  return (
    <table className="mt-3 w-full table-fixed border-collapse text-13">
      <caption className="pb-1 text-start text-13 font-semibold">{caption}</caption>
      <thead>
        <tr className="text-12 text-text-2">
          <th scope="col" className="w-2/5 border-b border-line py-1 pr-3 text-start font-medium">
            {t.name}
          </th>
          <th scope="col" className="border-b border-line py-1 text-start font-medium">
            {second}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, cell }) => (
          <tr key={name}>
            <th
              scope="row"
              className="code border-b border-line py-1.5 pr-3 text-start align-top text-12 font-normal wrap-anywhere"
            >
              {name}
            </th>
            <td className="border-b border-line py-1.5 align-top wrap-anywhere">{cell}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Remark = ({ children }: { readonly children: ReactNode }) => (
  <span className="ml-2 text-12 whitespace-nowrap text-text-2">{children}</span>
);

function ValueList({ values }: { readonly values: readonly string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {values.map((value) => (
        <code key={value} className="code rounded-badge bg-soon-bg px-1 text-12 text-soon">
          {value}
        </code>
      ))}
    </span>
  );
}
