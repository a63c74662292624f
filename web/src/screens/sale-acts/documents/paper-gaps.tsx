// What a sale's papers would print as an empty line, each with the way to the form in which it is entered.
import { Link } from '@tanstack/react-router';
import type { TemplateCode } from '../../../../../src/domain/documents/documents-states.ts';
import type { GapRecord, PaperGap } from '../../../../../src/domain/documents/paper-gaps.ts';
import { useTexts } from '../../../language.ts';
import { paperGapsTexts } from './paper-gaps-texts.ts';

/** The records whose data each paper prints. */
const PRINTED: Readonly<Record<TemplateCode, readonly GapRecord[]>> = {
  satis_sozlesmesi: ['account', 'vehicle', 'customer', 'guarantor'],
  odeme_plani: ['account'],
  teslim_tutanagi: ['account', 'vehicle', 'customer'],
  kvkk_aydinlatma: ['account'],
  kefaletname: ['account', 'guarantor'],
  senet: ['customer', 'guarantor'],
  ibraname: ['account', 'customer'],
};

/** Undefined while they are read, so that no paper is called complete too early. */
export const gapsOf = (gaps: readonly PaperGap[] | undefined, code: TemplateCode): readonly PaperGap[] | undefined =>
  gaps?.filter(({ record }) => PRINTED[code].includes(record));

interface PaperGapsProps {
  readonly gaps: readonly PaperGap[] | undefined;
}

export function PaperGaps({ gaps }: PaperGapsProps) {
  const t = useTexts(paperGapsTexts);
  if (gaps === undefined || gaps.length === 0) return null;
  const groups = [...Map.groupBy(gaps, ({ record, id, name }) => `${record} ${id} ${name}`).values()];
  return (
    <div className="mt-3 border-t border-line pt-3 text-13">
      <p className="m-0 font-medium">{t.gaps}</p>
      <ul className="m-0 mt-1 flex list-none flex-wrap gap-x-5 gap-y-1 p-0">
        {groups.map((group) => {
          const [{ record, id, name }] = group as [PaperGap, ...PaperGap[]];
          return (
            <li key={`${record} ${id} ${name}`}>
              <GapLink id={id} record={record}>
                {name === null ? t.records[record] : `${t.records[record]} ${name}`}
              </GapLink>
              : {group.map(({ field }) => t.fields[field] ?? field).join(', ')}
            </li>
          );
        })}
      </ul>
      <p className="m-0 mt-1 text-12 text-text-2">{t.gapsHint}</p>
    </div>
  );
}

interface GapLinkProps {
  readonly id: string;
  readonly record: GapRecord;
  readonly children: string;
}

/** A guarantor is edited on the page of the customer. */
function GapLink({ id, record, children }: GapLinkProps) {
  if (record === 'account')
    return (
      <Link to="/ayarlar/hesap" className="link inline-block py-0.5">
        {children}
      </Link>
    );
  if (record === 'vehicle')
    return (
      <Link to="/araclar/$vehicleId/duzenle" params={{ vehicleId: id }} className="link inline-block py-0.5">
        {children}
      </Link>
    );
  if (record === 'guarantor')
    return (
      <Link to="/musteriler/$customerId" params={{ customerId: id }} className="link inline-block py-0.5">
        {children}
      </Link>
    );
  return (
    <Link to="/musteriler/$customerId/duzenle" params={{ customerId: id }} className="link inline-block py-0.5">
      {children}
    </Link>
  );
}
