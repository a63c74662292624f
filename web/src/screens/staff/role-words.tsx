// What each role may do, in words; the endpoints are a click away.
import { Check, Minus } from 'lucide-react';
import { ROLES } from '../../../../src/domain/identity/roles.ts';
import { useTexts } from '../../language.ts';
import { shellTexts } from '../../texts/shell.ts';
import { matrixTexts } from './matrix-texts.ts';
import { RoleMatrix } from './role-matrix.tsx';

export function RoleWords() {
  const t = useTexts(matrixTexts);
  const { roles } = useTexts(shellTexts);
  return (
    <section aria-labelledby="roles-title">
      <h2 id="roles-title" className="mt-0 mb-2 text-16 font-semibold">
        {t.title}
      </h2>
      <div className="flex flex-wrap gap-3 *:grow *:basis-72">
        {ROLES.map((role) => (
          <section key={role} aria-label={roles[role]} className="card p-4">
            <h3 className="m-0 mb-2 text-14 font-semibold">{roles[role]}</h3>
            <ul className="m-0 flex list-none flex-col gap-1.5 p-0 text-13">
              {t.may[role].map((words) => (
                <li key={words} className="flex items-start gap-2">
                  <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-live" />
                  <span>
                    <span className="sr-only">{t.allowed}: </span>
                    {words}
                  </span>
                </li>
              ))}
              {t.mayNot[role].map((words) => (
                <li key={words} className="flex items-start gap-2 text-text-2">
                  <Minus aria-hidden className="mt-0.5 size-4 shrink-0" />
                  <span>
                    <span className="sr-only">{t.refused}: </span>
                    {words}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <details className="mt-4">
        <summary className="cursor-pointer text-13 font-medium">{t.endpoints}</summary>
        <div className="mt-3">
          <RoleMatrix />
        </div>
      </details>
    </section>
  );
}
