// How a receiver verifies that a delivery is ours.
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { Facts } from '../../parts/page/facts.tsx';
import { webhookQuery } from './data.ts';
import { Samples } from './secret-once.tsx';
import { webhooksTexts } from './texts.ts';

export function CheckTab() {
  const t = useTexts(webhooksTexts);
  const { webhookId } = useParams({ from: '/shell/webhooks/$webhookId' });
  const webhook = useQuery(webhookQuery(webhookId)).data;
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <div className="card min-w-0 p-4">
        <Samples />
      </div>
      <Facts
        title={t.checkHeaders}
        facts={[
          { name: 'webhook-id', value: t.headerId },
          { name: 'webhook-timestamp', value: t.headerTime },
          { name: 'webhook-signature', value: t.headerSign },
          ...(webhook ? [{ name: t.secret, value: t.hint(webhook.secret_hint) }] : []),
        ]}
      />
    </div>
  );
}
