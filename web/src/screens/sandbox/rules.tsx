// All rules by which the simulated side answers, as the server has them.
import { useQuery } from '@tanstack/react-query';
import { useLocale, useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { RuleOutcomes, rulesQuery } from '../../records/sandbox/rules.tsx';
import { sandboxTexts } from '../../records/sandbox/texts.ts';
import { SandboxTabs } from './tabs.tsx';
import { sandboxScreenTexts } from './texts.ts';

export function RulesScreen() {
  const t = useTexts(sandboxScreenTexts);
  const s = useTexts(sandboxTexts);
  const locale = useLocale();
  const rules = useQuery(rulesQuery);
  return (
    <>
      <SandboxTabs />
      <p className="mt-0 mb-4 max-w-[72ch] text-text-2">{t.rulesText}</p>
      <Loaded query={rules}>
        {(found) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            {found.map((rule) => (
              <section key={rule.act} className="card min-w-0 p-4 text-13">
                <h2 className="m-0 text-14 font-semibold">{rule.name[locale]}</h2>
                {rule.fields.length > 0 && <p className="mt-0.5 mb-2 text-text-2">{s.decidedBy(rule.decided_by[locale])}</p>}
                <RuleOutcomes rule={rule} />
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}
