import type { EndpointDetail } from '../../../../src/panel/developer/catalog.ts';
import { basePath } from '../../environment.ts';
import { EnvironmentBadge } from '../../parts/badges.tsx';

export function KeyLinks({ keys }: Pick<EndpointDetail, 'keys'>) {
  return (
    <ul className="m-0 flex list-none flex-col gap-1.5 p-0">
      {keys.map((key) => (
        <li key={key.id} className="flex items-center justify-between gap-2">
          <a href={`${basePath()}/api-anahtarlari/${key.id}`} className="link wrap-anywhere">
            {key.name}
          </a>
          <EnvironmentBadge environment={key.environment as 'production' | 'sandbox'} />
        </li>
      ))}
    </ul>
  );
}
