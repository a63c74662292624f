// Every document, generated or uploaded, newest first: found by kind and origin, opened, and made from a template.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FilePlus2, Upload, X } from 'lucide-react';
import { useState } from 'react';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS } from '../../../../src/domain/documents/documents-states.ts';
import type { Page } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Field, Select } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, None, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { DocumentBadge, documentWord } from '../../records/documents/document-badge.tsx';
import {
  FRESH_LINKS,
  type ListedDocument,
  listDocuments,
  listWaiting,
  templatesQuery,
} from '../../records/documents/documents.ts';
import { SalePicker } from '../../records/sales/sale-picker.tsx';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { DocumentActs } from '../sale-acts/documents/document-acts.tsx';
import { ScanDrop } from '../sale-acts/documents/document-drop.tsx';
import { GenerateDocument, OpenDocument } from '../sale-acts/documents/document-generate.tsx';
import { documentActsTexts } from '../sale-acts/documents/document-texts.ts';
import { UploadScan } from '../sale-acts/documents/document-upload.tsx';
import { documentsTexts } from './texts.ts';

type DocumentSearch = {
  readonly [Name in 'waiting' | 'kind' | 'origin' | 'sale_id' | 'customer_id' | 'vehicle_id' | 'limit' | 'offset']?:
    | string
    | undefined;
};

const WAITING = 'waiting';

const isFiltered = ({ limit: _, offset: __, ...filters }: DocumentSearch): boolean => Object.values(filters).some(Boolean);

export function DocumentsScreen() {
  const t = useTexts(documentsTexts);
  const locale = useLocale();
  const search: DocumentSearch = useSearch({ from: '/shell/belgeler' });
  const navigate = useNavigate({ from: '/belgeler' });
  const documents = useQuery({
    queryKey: ['documents', search],
    queryFn: ({ signal }) => {
      const { waiting, ...filters } = search;
      return waiting ? listWaiting({ limit: filters.limit, offset: filters.offset }, signal) : listDocuments(filters, signal);
    },
    placeholderData: keepPreviousData,
    ...FRESH_LINKS,
  });
  const go = (next: DocumentSearch) => navigate({ search: next });
  const chips = [
    { value: '', label: t.all },
    { value: WAITING, label: t.waiting },
    ...DOCUMENT_ORIGINS.map((origin) => ({ value: origin as string, label: documentWord(locale, origin) })),
  ];
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          <>
            <UploadButton saleId={search.sale_id} />
            <Generate saleId={search.sale_id} />
          </>
        }
      />
      <ChoiceChips
        label={t.origins}
        value={search.waiting ? WAITING : (search.origin ?? '')}
        chips={chips}
        onChange={(view) =>
          go(view === WAITING ? { waiting: 'true', limit: search.limit } : { ...search, waiting: '', origin: view, offset: '' })
        }
      />
      {!search.waiting && <Filters search={search} onChange={go} />}
      <Loaded query={documents} rows={12}>
        {(page) => (
          <ScanDrop documents={page.items} saleId={search.sale_id}>
            <DocumentsTable page={page} search={search} onChange={go} />
          </ScanDrop>
        )}
      </Loaded>
    </>
  );
}

interface FiltersProps {
  readonly search: DocumentSearch;
  readonly onChange: (search: DocumentSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const t = useTexts(documentsTexts);
  const locale = useLocale();
  const change = (part: DocumentSearch) => onChange({ ...search, ...part, offset: '' });
  const links = [
    ['sale_id', t.ofSale],
    ['customer_id', t.ofCustomer],
    ['vehicle_id', t.ofVehicle],
  ] as const;
  return (
    <FilterBar onClear={isFiltered(search) ? () => onChange(search.limit ? { limit: search.limit } : {}) : undefined}>
      <FilterSelect
        label={t.kind}
        none={t.anyKind}
        value={search.kind}
        options={DOCUMENT_KINDS.map((value) => ({ value: value as string, label: documentWord(locale, value) }))}
        onChange={(kind) => change({ kind })}
      />
      {links.map(
        ([name, label]) =>
          search[name] && (
            <Button key={name} icon={X} onClick={() => change({ [name]: '' })}>
              {label}
            </Button>
          ),
      )}
    </FilterBar>
  );
}

function DocumentsTable({ page, search, onChange }: FiltersProps & { readonly page: Page<ListedDocument> }) {
  const t = useTexts(documentsTexts);
  return (
    <Table
      label={t.title}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={useColumns()}
      empty={
        <ListEmpty
          pastEnd={search.offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
          noMatch={isFiltered(search) && { title: search.waiting ? t.noneWaiting : t.noMatch, clear: () => onChange({}) }}
        >
          <EmptyState title={t.emptyTitle}>{t.emptyText}</EmptyState>
        </ListEmpty>
      }
      footer={
        <Pagination
          page={page}
          onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
          onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
        />
      }
    />
  );
}

function useColumns(): readonly Column<ListedDocument>[] {
  const t = useTexts(documentsTexts);
  const locale = useLocale();
  return [
    {
      id: 'document',
      head: t.document,
      onCard: 'title',
      cell: ({ id, title, kind, version, origin, signs_document_id }) => (
        <span data-document={id}>
          <span className="font-medium wrap-anywhere">{origin === 'Üretildi' ? documentWord(locale, kind) : title}</span>
          <span className="block text-12 text-text-2">
            {version !== null
              ? t.version(version)
              : signs_document_id !== null
                ? t.signedCopy
                : `${t.uploaded} · ${documentWord(locale, kind)}`}
          </span>
        </span>
      ),
    },
    { id: 'of', head: t.of, cell: (document) => <Belongs document={document} /> },
    {
      id: 'status',
      head: t.status,
      cell: ({ status, recipients, superseded_at }) => (
        <span>
          {status === null ? <None /> : <DocumentBadge status={status} />}
          {recipients.length > 0 && status !== 'İmzalandı' && (
            <span className="block text-12 text-text-2">
              {t.signed(recipients.filter((one) => one.status === 'İmzaladı').length, recipients.length)}
            </span>
          )}
          {superseded_at && <span className="block text-12 text-text-2">{t.superseded}</span>}
        </span>
      ),
    },
    { id: 'made', head: t.made, cell: ({ created_at }) => <DateTime at={created_at} /> },
    {
      id: 'file',
      head: t.file,
      align: 'end',
      cell: (document) =>
        document.file === null ? (
          <span className="text-12 text-text-2">{t.erased}</span>
        ) : document.file.url === null ? (
          <span className="text-12 text-text-2">{t.masked}</span>
        ) : (
          <OpenDocument document={document} />
        ),
    },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      width: 'w-12',
      align: 'end',
      onCard: 'corner',
      cell: (document) => <DocumentActs document={document} />,
    },
  ];
}

function Belongs({ document }: { readonly document: ListedDocument }) {
  const { named, sale_id, customer_id, vehicle_id } = document;
  if (sale_id !== null && named)
    return (
      <span>
        {customer_id === null ? (
          named.customer
        ) : (
          <Link to="/musteriler/$customerId" params={{ customerId: customer_id }} className="link inline-block min-h-6">
            {named.customer}
          </Link>
        )}
        <span className="flex flex-wrap items-center gap-x-2 text-12 text-text-2">
          <Link to="/satislar/$saleId" params={{ saleId: sale_id }} className="link tabular inline-flex min-h-6 items-center">
            {named.sale_no}
          </Link>
          <Plate plate={named.plate} />
        </span>
      </span>
    );
  if (customer_id !== null) return <CustomerName id={customer_id} />;
  return vehicle_id === null ? <None /> : <VehicleName id={vehicle_id} />;
}

function UploadButton({ saleId }: { readonly saleId: string | undefined }) {
  const a = useTexts(documentActsTexts);
  const may = useMay('documents:write');
  const [isOpen, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button icon={Upload} onClick={() => setOpen(true)}>
        {a.upload}
      </Button>
      {isOpen && <UploadScan saleId={saleId} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks for the sale and the template first; the server reports missing data. */
function Generate({ saleId }: { readonly saleId: string | undefined }) {
  const t = useTexts(documentsTexts);
  const locale = useLocale();
  const may = useMay('documents:write');
  const [step, setStep] = useState<'closed' | 'choose' | 'make'>('closed');
  const [sale, setSale] = useState(saleId ?? '');
  const [templateId, setTemplateId] = useState('');
  const templates = useQuery({ ...templatesQuery, enabled: may }).data?.items ?? [];
  const template = templates.find(({ id }) => id === templateId) ?? templates[0];
  if (!may) return null;
  return (
    <>
      <Button look="primary" icon={FilePlus2} onClick={() => setStep('choose')}>
        {t.generate}
      </Button>
      {step === 'choose' && (
        <Dialog
          open
          onClose={() => setStep('closed')}
          title={t.generate}
          description={t.generateText}
          footer={
            <Button look="primary" disabled={sale === '' || template === undefined} onClick={() => setStep('make')}>
              {t.next}
            </Button>
          }
        >
          <div className="flex flex-col gap-4 py-1">
            <SalePicker id="generate_sale" label={t.sale} value={sale} onChange={setSale} />
            <Field label={t.template}>
              <Select
                value={template?.id ?? ''}
                options={templates.map(({ id, kind }) => ({ value: id, label: documentWord(locale, kind) }))}
                onChange={setTemplateId}
              />
            </Field>
          </div>
        </Dialog>
      )}
      {step === 'make' && template && (
        <GenerateDocument
          saleId={sale}
          template={{ id: template.id, code: template.code, name: documentWord(locale, template.kind) }}
          onClose={() => setStep('closed')}
        />
      )}
    </>
  );
}
