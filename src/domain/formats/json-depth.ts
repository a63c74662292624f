// How deep JSON from outside may be nested. Nothing we accept is deeper than a few levels, and recursive code would run out of
// stack on a value that is nested thousands deep.

export const MAX_JSON_DEPTH = 20;

/** A list or object is one level, its content the next. */
export const isTooDeep = (value: unknown, left: number = MAX_JSON_DEPTH): boolean =>
  typeof value === 'object' && value !== null && (left === 0 || Object.values(value).some((inner) => isTooDeep(inner, left - 1)));
