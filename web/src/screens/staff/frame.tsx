import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { staffTexts } from './texts.ts';

interface StaffFrameProps {
  readonly title: string;
  readonly description: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function StaffFrame({ title, description, actions, children }: StaffFrameProps) {
  const t = useTexts(staffTexts);
  return (
    <>
      <PageHeader title={title} description={description} actions={actions} />
      <TabLinks label={t.tabs}>
        <TabLink to="/ekip" activeOptions={{ exact: true, includeSearch: false }}>
          {t.staffTab}
        </TabLink>
        <TabLink to="/ekip/subeler">{t.branchesTab}</TabLink>
      </TabLinks>
      {children}
    </>
  );
}
