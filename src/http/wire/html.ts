// HTML from templates in which every value is escaped, so that forgetting to escape is not possible.

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Values are escaped, `Html` is kept as it is, lists are joined, and null, undefined and false leave nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0]!;
  for (let index = 0; index < values.length; index += 1) text += textOf(values[index]) + parts[index + 1]!;
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === undefined || value === false) return '';
  return Array.isArray(value) ? value.map(textOf).join('') : escapeHtml(String(value));
}
