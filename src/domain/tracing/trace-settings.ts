// Reads the OTEL_* settings, which have the names and defaults of OpenTelemetry. Errors do not repeat values, because headers hold keys.

export interface TracingConfig {
  /** Spans are posted here. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of every span of this deployment. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
}

export interface Sampling {
  /** The share of traces that are exported. */
  readonly ratio: number;
  /** Of a trace that began elsewhere, the caller decides. */
  readonly followsCaller: boolean;
}

type Texts = Readonly<
  Record<'endpoint' | 'headers' | 'protocol' | 'service' | 'resource' | 'sampler' | 'ratio', string | undefined>
>;

/** null: there are no traces. A text: what is wrong. */
export function readTracing(texts: Texts): TracingConfig | null | string {
  if (!texts.endpoint) return null;
  const endpoint = URL.canParse(texts.endpoint) ? new URL(texts.endpoint) : null;
  if (endpoint === null || !/^https?:$/.test(endpoint.protocol) || endpoint.search !== '' || endpoint.hash !== '')
    return 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that begins with http:// or https://';
  if (endpoint.username !== '' || endpoint.password !== '')
    return 'OTEL_EXPORTER_OTLP_ENDPOINT must not contain a password; put it into OTEL_EXPORTER_OTLP_HEADERS';
  if (texts.protocol && texts.protocol !== 'http/json') return 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json';
  const headers = readPairs(texts.headers);
  if (headers === null || !Object.entries(headers).every(isHeader))
    return 'OTEL_EXPORTER_OTLP_HEADERS must be like api-key=VALUE,other=VALUE, with percent-encoded values';
  const resource = readPairs(texts.resource);
  if (resource === null)
    return 'OTEL_RESOURCE_ATTRIBUTES must be like deployment.environment.name=production,other=VALUE, with percent-encoded values';
  const sampling = readSampling(texts.sampler || 'parentbased_always_on', texts.ratio || '1');
  if (typeof sampling === 'string') return sampling;
  const url = `${endpoint.href.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  return {
    url,
    headers,
    resource: { ...resource, 'service.name': texts.service || resource['service.name'] || 'galeri' },
    sampling,
  };
}

const SAMPLERS: Readonly<Record<string, (ratio: number) => number>> = {
  always_on: () => 1,
  always_off: () => 0,
  traceidratio: (ratio) => ratio,
};
const FOLLOWS = 'parentbased_';

function readSampling(sampler: string, text: string): Sampling | string {
  const followsCaller = sampler.startsWith(FOLLOWS);
  const name = followsCaller ? sampler.slice(FOLLOWS.length) : sampler;
  if (!Object.hasOwn(SAMPLERS, name)) {
    const names = Object.keys(SAMPLERS).flatMap((one) => [one, FOLLOWS + one]);
    return `OTEL_TRACES_SAMPLER must be one of ${names.join(', ')}`;
  }
  const ratio = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(ratio <= 1)) return 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, such as 0.1';
  return { ratio: SAMPLERS[name]!(ratio), followsCaller };
}

/** `a=1,b=2`; null if it is not. */
function readPairs(text: string | undefined): Record<string, string> | null {
  const pairs: Record<string, string> = {};
  for (const part of text ? text.split(',') : []) {
    const mark = part.indexOf('=');
    const [name, value] = [part.slice(0, mark).trim(), decoded(part.slice(mark + 1).trim())];
    if (mark < 0 || name === '' || value === null) return null;
    pairs[name] = value;
  }
  return pairs;
}

const isHeader = ([name, value]: readonly [string, string]): boolean => /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value);

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
