// Loglar: the requests of this key stand in the log, with every filter it has; this leads there.
import { getRouteApi } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { keysTexts } from '../../texts/keys.ts';

const route = getRouteApi('/shell/api-anahtarlari/$keyId');

export function LogsTab() {
  const t = useTexts(keysTexts);
  const { keyId } = route.useParams();
  return (
    <div className="card">
      <EmptyState
        title={t.logsText}
        action={
          <a href={`/panel/loglar?anahtar=${keyId}`} className={buttonLook('primary')}>
            {t.lookLogs}
          </a>
        }
      />
    </div>
  );
}
