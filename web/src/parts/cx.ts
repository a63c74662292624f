/** Joins the class names that are not false: cx('row', open && 'open'). */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
