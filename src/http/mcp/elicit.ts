// The question that a client shows to its person. Values of the request are fields of the form, never a part of our sentence.
import type { Locale } from '../../kit/errors.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { moneyText, type TokenFacts, type WriteRequest } from './preview-token.ts';
import { isObject, type Json } from './protocol.ts';

const MAX_FIELDS = 20;
const MAX_VALUE = 200;

interface Question {
  readonly facts: TokenFacts;
  readonly request: WriteRequest;
  readonly state: string;
  readonly locale: Locale;
}

const WORDS = {
  en: { ask: 'Confirm this change', money: 'Money moved', none: 'none', unknown: 'not known', yes: 'Yes, do this' },
  tr: { ask: 'Bu değişikliği onaylayın', money: 'Tutar', none: 'yok', unknown: 'bilinmiyor', yes: 'Evet, yapılsın' },
};

export function askWindow(endpoint: ApiEndpoint, { facts, request, state, locale }: Question): Json {
  const words = WORDS[locale];
  const money =
    facts.money === null
      ? words.unknown
      : moneyText(facts.money)
          .map(({ amount, currency }) => `${amount} ${currency}`)
          .join(', ');
  const message = `${words.ask}: ${endpoint.name[locale]} (${endpoint.id}). ${words.money}: ${money || words.none}.`;
  const requestedSchema = {
    type: 'object',
    properties: { ...fieldsOf(request), approve: { type: 'boolean', title: words.yes, default: false } },
    required: ['approve'],
  };
  return {
    resultType: 'input_required',
    inputRequests: { approve: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } },
    requestState: state,
  };
}

/** True only if the person accepted, ticked the box, and left the values as they were: a changed value would not be what is done. */
export function readWindow(responses: unknown, request: WriteRequest): boolean {
  const answer = isObject(responses) ? responses.approve : undefined;
  if (!isObject(answer) || answer.action !== 'accept' || !isObject(answer.content) || answer.content.approve !== true)
    return false;
  const { content } = answer;
  return Object.entries(fieldsOf(request)).every(
    ([name, field]) => !(name in content) || content[name] === (field as Json).default,
  );
}

/** Whether the window shows all of the request: a person approves only what they see, so the panel shows a longer one. */
export function fitsWindow(request: WriteRequest): boolean {
  const values = valuesOf(request);
  return values.length <= MAX_FIELDS && values.flat().every((value) => plain(value).length <= MAX_VALUE);
}

const valuesOf = ({ method, path, query, body }: WriteRequest): [name: string, value: unknown][] =>
  Object.entries({ request: `${method} ${path}${query === '' ? '' : `?${query}`}`, ...body });

/** The path and the values of the body, each as a text field that shows it. */
const fieldsOf = (request: WriteRequest): Json =>
  Object.fromEntries(
    valuesOf(request).map(([name, value], index) => [
      `field_${index}`,
      { type: 'string', title: plain(name), default: plain(value) },
    ]),
  );

const plain = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\p{C}+/gu, ' ');
