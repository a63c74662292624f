// The log's filters, which are in the address.
import { Download } from 'lucide-react';
import { addressOf } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { Range } from '../../parts/input/range.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { useLogKeys } from '../../records/log-keys.ts';
import { ERROR_CODES } from './error-codes.ts';
import { isFiltered, type LogSearch, questionOf } from './search.ts';
import { logsTexts } from './texts.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];
const STATUSES = ['ok', '4xx', '5xx', 'errors'] as const;

interface LogFiltersProps {
  readonly search: LogSearch;
  /** Applies the filter and goes to the first page. */
  readonly onChange: (part: LogSearch) => void;
  readonly onClear: () => void;
}

export function LogFilters({ search, onChange, onClear }: LogFiltersProps) {
  const t = useTexts(logsTexts);
  const keys = useLogKeys();
  const { before: _, limit: __, request_id, ...exported } = questionOf(search);
  return (
    <FilterBar
      onClear={isFiltered(search) ? onClear : undefined}
      actions={
        // Plain links that the browser downloads. Not offered for a single request.
        request_id === undefined &&
        (['csv', 'xlsx'] as const).map((form) => (
          <a
            key={form}
            href={addressOf('GET logs/export', { query: form === 'csv' ? exported : { ...exported, form } })}
            download
            title={t.exportHint}
            className={buttonLook('secondary')}
          >
            <Download aria-hidden className="size-4" />
            {form === 'csv' ? t.export : t.exportXlsx}
          </a>
        ))
      }
    >
      <SearchInput
        label={t.pathSearch}
        className="sm:w-80"
        value={search.request_id ?? search.path ?? ''}
        onChange={(text) =>
          onChange(isRequestId(text) ? { request_id: text.trim(), path: undefined } : { path: text, request_id: undefined })
        }
      />
      <Range value={search} usual="24h" ranges={['1h', '24h', '7d', '30d']} onChange={onChange} />
      <FilterSelect
        label={t.key}
        none={t.allKeys}
        value={search.key}
        options={[...(keys.data ?? []).map(({ id, name, revoked }) => ({ value: id, label: revoked ? t.revoked(name) : name }))]}
        onChange={(key) => onChange({ key })}
      />
      <FilterSelect
        label={t.status}
        none={`${t.status}: ${t.statuses.all}`}
        value={search.status}
        options={[...STATUSES.map((status) => ({ value: status, label: t.statuses[status] }))]}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label={t.method}
        none={t.allMethods}
        value={search.method}
        options={[...METHODS.map((method) => ({ value: method, label: method }))]}
        onChange={(method) => onChange({ method })}
      />
      <FilterSelect
        label={t.error}
        none={t.allErrors}
        value={search.error}
        options={[...ERROR_CODES.map((code) => ({ value: code, label: code }))]}
        onChange={(error) => onChange({ error })}
      />
      <SentBy search={search} onChange={onChange} />
    </FilterBar>
  );
}

function SentBy({ search, onChange }: Pick<LogFiltersProps, 'search' | 'onChange'>) {
  const t = useTexts(logsTexts);
  return (
    <FilterSelect
      label={t.via}
      none={t.allCallers}
      value={search.via}
      options={[{ value: 'mcp', label: t.agents }]}
      onChange={(via) => onChange({ via })}
    />
  );
}

const isRequestId = (text: string): boolean => /^\s*req_[0-9a-z]{26}\s*$/.test(text);
