// Genel bakış: the first thing one sees.

import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSession } from '../../session.ts';
import { overviewTexts } from './texts.ts';

export function OverviewScreen() {
  const t = useTexts(overviewTexts);
  const { account } = useSession();
  return <PageHeader title={t.title} description={account ? t.description(account.name) : t.noAccount} />;
}
