// A banner about the account's keys; it stays until someone marks it as read.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { BannerLine } from '../../../../src/panel/account/banners.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat, useSession } from '../../session.ts';
import { noticesTexts } from '../../texts/notices.ts';

export function NoticeItem({ notice }: { readonly notice: BannerLine }) {
  const t = useTexts(noticesTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const text = useNoticeText(notice);
  const read = useMutation({
    mutationFn: () => call('POST notices/{notice_id}/read', { params: { notice_id: notice.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['notices'] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <BellRing aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</span>
      {'endpoint' in notice.data && (
        <Link
          to="/katalog/$endpointId"
          params={{ endpointId: slugOf(notice.data.endpoint) }}
          className="font-medium text-live underline"
        >
          {t.show}
        </Link>
      )}
      {'email' in notice.data && (
        <Link to="/ekip" className="font-medium text-live underline">
          {t.show}
        </Link>
      )}
      {'rows' in notice.data && (
        <Link
          to="/api-anahtarlari/$keyId/kapsam"
          params={{ keyId: notice.data.key.id }}
          className="font-medium text-live underline"
        >
          {t.show}
        </Link>
      )}
      {!look && (
        <Button busy={read.isPending} onClick={() => read.mutate()}>
          {t.read}
        </Button>
      )}
    </li>
  );
}

function useNoticeText(notice: BannerLine): string {
  const t = useTexts(noticesTexts);
  const locale = useLocale();
  const format = useFormat();
  const { data } = notice;
  if ('endpoint' in data) {
    const { keys, name } = data;
    const who = keys.length === 1 ? t.yourKey(keys[0]!.name) : t.yourKeys(keys.length);
    return notice.kind === 'row.opened' ? t.opened(who, name[locale]) : t.closed(who, name[locale]);
  }
  if ('email' in data) return (notice.kind === 'owner.proposed' ? t.ownerProposed : t.ownerInvited)(data);
  if ('rows' in data) return t.rowsRequested(data.by, data.key.name, data.rows);
  const { key, per_minute, note } = data;
  const sentence = notice.kind === 'limit.approved' ? t.approved : t.refused;
  return [sentence(key.name, format.number(per_minute)), note && t.note(note)].filter(Boolean).join(' ');
}
