import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { Fragment } from 'react';
import { call } from '../api.ts';
import { useTexts } from '../language.ts';
import { Button } from '../parts/button.tsx';
import { useSession } from '../session.ts';
import { noticesTexts } from '../texts/notices.ts';

/** To owners, until one has seen it: keys that developers made before their endpoints were bounded by their role. */
export function KeyReviewBanner() {
  const t = useTexts(noticesTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const review = useQuery({
    queryKey: ['key-review'],
    queryFn: ({ signal }) => call('GET key-review', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const seen = useMutation({
    mutationFn: () => call('POST key-review/seen'),
    onSettled: () => client.invalidateQueries({ queryKey: ['key-review'] }),
  });
  const keys = review.data ?? [];
  if (keys.length === 0) return null;
  const [before, after] = t.review('|').split('|');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-write-bg px-4 py-1.5 text-13 text-write sm:px-6">
      <KeyRound aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {before}
        {keys.map(({ id, name }, place) => (
          <Fragment key={id}>
            {place > 0 && ', '}
            <Link to="/api-anahtarlari/$keyId/kapsam" params={{ keyId: id }} className="font-medium underline">
              {name}
            </Link>
          </Fragment>
        ))}
        {after}
      </span>
      {!look && (
        <Button busy={seen.isPending} onClick={() => seen.mutate()}>
          {t.seen}
        </Button>
      )}
    </div>
  );
}
