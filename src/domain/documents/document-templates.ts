// The built-in templates of sale documents, each for both countries. They are part of a release, so their ids are constants.
import type { Page, Paging } from '../../kit/page.ts';
import { flag, integer, type Of, object, oneOf, text, uuid } from '../../kit/schema.ts';
import { TEMPLATE_VERSION } from '../papers/paper.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  SIGNATURES,
  type Signature,
  TEMPLATE_CODES,
  type TemplateCode,
} from './documents-states.ts';

const COUNTRIES = ['TR', 'KKTC'] as const;
export type Country = (typeof COUNTRIES)[number];

export const Template = object({
  id: uuid(),
  code: oneOf(TEMPLATE_CODES),
  name: text('Satış sözleşmesi'),
  kind: oneOf(DOCUMENT_KINDS),
  country: oneOf(COUNTRIES),
  version: integer(),
  language: oneOf(['tr']),
  signature: oneOf(SIGNATURES),
  requires_guarantor: flag(),
  requires_installments: flag(),
  active: flag(),
});
export type Template = Of<typeof Template>;

interface BuiltIn {
  readonly name: string;
  readonly kind: DocumentKind;
  readonly signature: Signature;
  readonly requires?: 'guarantor' | 'installments';
}

const BUILT_IN: Readonly<Record<TemplateCode, BuiltIn>> = {
  satis_sozlesmesi: { name: 'Satış sözleşmesi', kind: 'Satış Sözleşmesi', signature: 'İkisi' },
  odeme_plani: { name: 'Ödeme planı', kind: 'Ödeme Planı', signature: 'İkisi', requires: 'installments' },
  teslim_tutanagi: { name: 'Teslim tutanağı', kind: 'Teslim Tutanağı', signature: 'İkisi' },
  kvkk_aydinlatma: { name: 'KVKK aydınlatma metni', kind: 'KVKK Aydınlatma', signature: 'İkisi' },
  kefaletname: { name: 'Kefaletname', kind: 'Kefaletname', signature: 'Islak', requires: 'guarantor' },
  senet: { name: 'Senetler (örnek)', kind: 'Senet', signature: 'Islak' },
  ibraname: { name: 'İbraname', kind: 'İbraname', signature: 'İkisi' },
};

const templateOf = (country: Country, code: TemplateCode): Template => {
  const { name, kind, signature, requires } = BUILT_IN[code];
  const number = COUNTRIES.indexOf(country) * 100 + TEMPLATE_CODES.indexOf(code) + 1;
  return {
    id: `d0c00000-7e00-4000-8000-${String(number).padStart(12, '0')}`,
    code,
    name,
    kind,
    country,
    version: TEMPLATE_VERSION,
    language: 'tr',
    signature,
    requires_guarantor: requires === 'guarantor',
    requires_installments: requires === 'installments',
    active: true,
  };
};

export const TEMPLATES: readonly Template[] = COUNTRIES.flatMap((country) =>
  TEMPLATE_CODES.map((code) => templateOf(country, code)),
);

export const findTemplate = (
  country: Country,
  of: { readonly id: string } | { readonly code: TemplateCode },
): Template | undefined =>
  TEMPLATES.find((one) => one.country === country && ('id' in of ? one.id === of.id : one.code === of.code));

/** Templates do not change during a walk, so the cursor is the position of the last one. */
export function listTemplates(country: Country, kind: DocumentKind | undefined, { limit, offset, walk }: Paging): Page {
  const all = TEMPLATES.filter((one) => one.country === country && (kind === undefined || one.kind === kind));
  const from = walk === undefined ? offset : Number(walk.after?.[0] ?? 0);
  const shown = all.slice(from, from + limit);
  const hasMore = from + limit < all.length;
  const last = hasMore ? [String(from + limit)] : null;
  return { json: JSON.stringify(shown), count: shown.length, hasMore, last, version: null };
}

/** In Türkiye a contract of an installment sale needs the written form, which a signature by link does not satisfy. */
export const signatureOf = ({ code, country, signature }: Template, isByInstallments: boolean): Signature =>
  code === 'satis_sozlesmesi' && country === 'TR' && isByInstallments ? 'Islak' : signature;
