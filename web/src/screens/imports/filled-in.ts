// What a preview fills into the form: guesses from columns and values, combined with earlier choices, and what the account knows.
import { specOf, type Target } from './fields.ts';
import { type ConnectorValues, type Defaults, keyOf, targetOf } from './form-values.ts';
import { keepMapping, type Mapping, withoutMisfits } from './guess-mapping.ts';
import { namesCurrency } from './questions.ts';
import type { Preview } from './wire.ts';

/** Guesses from columns and values, combined with earlier choices. */
export function filledIn(values: ConnectorValues, preview: Preview): Partial<ConnectorValues> {
  const target = targetOf(values);
  const columns = preview.columns.map(({ name }) => name);
  const mapping = withoutMisfits(target, keepMapping(target, values.mapping, columns), values.mapping, preview.columns);
  const chosen = values.value_map;
  const map = Object.fromEntries(
    Object.entries(mapping).flatMap(([field, column]) => {
      if (specOf(target, field)?.kind !== 'choice') return chosen[field] === undefined ? [] : [[field, chosen[field]]];
      const seen = preview.columns.find(({ name }) => name === column)?.values ?? [];
      const words = Object.fromEntries(
        Object.entries(chosen[field] ?? {}).filter(([word]) => seen.length === 0 || seen.includes(word)),
      );
      return Object.keys(words).length === 0 ? [] : [[field, words]];
    }),
  );
  const isKeyThere = mapping[values.key_field as keyof Mapping] !== undefined;
  return {
    mapping,
    value_map: map,
    defaults: usualDefaults(target, values.defaults, mapping, preview),
    ...(isKeyThere ? {} : { key_field: keyOf(target, mapping) }),
  };
}

/** What the file leaves out and the account knows: the city of the cars, the currency of prices without one. */
function usualDefaults(target: Target, defaults: Defaults, mapping: Mapping, preview: Preview): Defaults {
  if (target !== 'vehicles') return defaults;
  const { city, currency } = preview.usual;
  const needsCity = mapping.city === undefined && defaults.city === undefined && city !== null;
  const needsCurrency = mapping.price !== undefined && defaults.currency === undefined && !namesCurrency(mapping, preview);
  return { ...defaults, ...(needsCity ? { city } : {}), ...(needsCurrency ? { currency } : {}) };
}
