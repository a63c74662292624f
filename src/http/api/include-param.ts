// The parameters `include` and `fields` of an endpoint: names, separated by commas.
import type { Includes } from '../../kit/endpoint.ts';
import type { Text } from '../../kit/errors.ts';
import type { Param } from '../../kit/params.ts';

export function includeParam(includes: Includes): Param<readonly string[]> {
  const names = Object.keys(includes);
  const allowed = {
    en: `one or more of ${names.join(', ')}, separated by commas`,
    tr: `${names.join(', ')} değerlerinden biri ya da birkaçı, virgülle ayrılmış`,
  };
  return namesParam(names, allowed, names.join(','));
}

export const fieldsParam = (names: readonly string[]): Param<readonly string[]> =>
  namesParam(
    names,
    { en: 'names of fields of the record, separated by commas', tr: 'kaydın alan adları, virgülle ayrılmış' },
    names.slice(0, 3).join(','),
  );

/** Each name once. */
function namesParam(names: readonly string[], allowed: Text, example: string): Param<readonly string[]> {
  return {
    allowed,
    schema: { type: 'string', pattern: '^\\w+(,\\w+)*$', examples: [example] },
    read: (text) => {
      const chosen = text.split(',');
      return chosen.every((name) => names.includes(name)) && new Set(chosen).size === chosen.length ? chosen : undefined;
    },
  };
}
