// The description as a reader of replies uses it: whether a reply is documented for the endpoint, and of the documented shape.
import { createRequire } from 'node:module';
import type { ApiRow } from '../../src/http/api/api-rows.ts';
import type { Answer, TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Any = any;

export interface Description {
  /** Null where the reply is as described. */
  faultOf(row: ApiRow, answer: Answer): string | null;
  statusesOf(row: ApiRow): { readonly status: string; readonly codes: readonly string[] }[];
}

/** As the service returns it at this moment. */
export async function readDescription(api: TestService): Promise<Description> {
  const { json: document } = await api.call('/openapi.json');
  const validate = validatorOf(document);
  const resolve = (part: Any): Any => (part.$ref ? document.components.responses[part.$ref.split('/').at(-1)] : part);
  const responsesOf = (row: ApiRow): Any => document.paths[`/${row.path}`][row.method.toLowerCase()].responses;
  return {
    faultOf(row, { status, text, json }) {
      const described = responsesOf(row)[status];
      if (described === undefined) return `${status} is not documented`;
      const { content, 'x-error-codes': codes } = resolve(described);
      if (codes !== undefined && !codes.includes(json.error.code)) return `${status} ${json.error.code} is not documented`;
      if (content === undefined) return text === '' ? null : `${status} has a body, which is not documented`;
      return validate(content['application/json'].schema.$ref.split('/').at(-1), json);
    },
    statusesOf: (row) =>
      Object.entries(responsesOf(row)).map(([status, part]) => ({ status, codes: resolve(part)['x-error-codes'] ?? [] })),
  };
}

/** A component by its name; null where the value matches it. */
function validatorOf(document: Any): (name: string, value: unknown) => string | null {
  const load = createRequire(import.meta.url);
  const Ajv = load('./node_modules/ajv/dist/2020.js').default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  load('./node_modules/ajv-formats').default(ajv);
  ajv.addSchema(document, 'document');
  return (name, value) => {
    const check = ajv.getSchema(`document#/components/schemas/${name}`);
    return check(value) ? null : `${name}: ${ajv.errorsText(check.errors)}`;
  };
}
