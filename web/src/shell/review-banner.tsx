// To owners, until one has seen it: keys and webhooks that developers made before their role bounded them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, type LucideIcon, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../api.ts';
import { useTexts } from '../language.ts';
import { Button } from '../parts/button.tsx';
import { useSession } from '../session.ts';
import { noticesTexts } from '../texts/notices.ts';

export function KeyReviewBanner() {
  const t = useTexts(noticesTexts);
  const review = useReview('key-review', (signal) => call('GET key-review', { signal }));
  const links = review.data.map(({ id, name }) => (
    <Link key={id} to="/api-anahtarlari/$keyId/kapsam" params={{ keyId: id }} className="font-medium underline">
      {name}
    </Link>
  ));
  return <ReviewBanner icon={KeyRound} text={t.review} links={links} onSeen={() => call('POST key-review/seen')} {...review} />;
}

export function WebhookReviewBanner() {
  const t = useTexts(noticesTexts);
  const review = useReview('webhook-review', (signal) => call('GET webhook-review', { signal }));
  const links = review.data.map(({ id, url }) => (
    <Link key={id} to="/webhooks/$webhookId/ayarlar" params={{ webhookId: id }} className="font-medium underline">
      {url}
    </Link>
  ));
  return (
    <ReviewBanner
      icon={Webhook}
      text={t.reviewWebhooks}
      links={links}
      onSeen={() => call('POST webhook-review/seen')}
      {...review}
    />
  );
}

function useReview<Item>(name: string, read: (signal: AbortSignal) => Promise<readonly Item[]>) {
  const client = useQueryClient();
  const queryKey = [name];
  const { data = [] } = useQuery({ queryKey, queryFn: ({ signal }) => read(signal), staleTime: Number.POSITIVE_INFINITY });
  return { data, reload: () => client.invalidateQueries({ queryKey }) };
}

interface ReviewBannerProps {
  readonly icon: LucideIcon;
  readonly text: (list: string) => string;
  readonly links: readonly ReactNode[];
  readonly onSeen: () => Promise<unknown>;
  readonly reload: () => Promise<void>;
}

function ReviewBanner({ icon: Icon, text, links, onSeen, reload }: ReviewBannerProps) {
  const t = useTexts(noticesTexts);
  const { look } = useSession();
  const seen = useMutation({ mutationFn: onSeen, onSettled: reload });
  if (links.length === 0) return null;
  const [before, after] = text('|').split('|');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-write-bg px-4 py-1.5 text-13 text-write sm:px-6">
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {before}
        {links.flatMap((link, place) => (place === 0 ? [link] : [', ', link]))}
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
