// The description as a reader of replies uses it: whether a reply is documented for the endpoint, and of the documented shape.
import { createRequire } from 'node:module';
import type { ApiEndpoint } from '../../src/http/api/api-endpoints.ts';
import type { Answer, TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
type Any = any;

export interface Description {
  /** Null where the reply is as described. */
  faultOf(endpoint: ApiEndpoint, answer: Answer): string | null;
  statusesOf(endpoint: ApiEndpoint): { readonly status: string; readonly codes: readonly string[] }[];
}

/** As the service returns it at this moment. */
export async function readDescription(api: TestService): Promise<Description> {
  const { json: document } = await api.call('/openapi.json');
  const validate = validatorOf(document);
  const resolve = (part: Any): Any => (part.$ref ? document.components.responses[part.$ref.split('/').at(-1)] : part);
  const responsesOf = (endpoint: ApiEndpoint): Any =>
    document.paths[`/${endpoint.path}`][endpoint.method.toLowerCase()].responses;
  return {
    faultOf(endpoint, { status, text, json }) {
      const described = responsesOf(endpoint)[status];
      if (described === undefined) return `${status} is not documented`;
      const { content, 'x-error-codes': codes } = resolve(described);
      if (codes !== undefined && !codes.includes(json.error.code)) return `${status} ${json.error.code} is not documented`;
      if (content === undefined) return text === '' ? null : `${status} has a body, which is not documented`;
      return validate(content['application/json'].schema.$ref.split('/').at(-1), json);
    },
    statusesOf: (endpoint) =>
      Object.entries(responsesOf(endpoint)).map(([status, part]) => ({ status, codes: resolve(part)['x-error-codes'] ?? [] })),
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
