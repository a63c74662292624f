// A link to a photo or video on another server. It is stored as text and never fetched by us, only opened in browsers.
import { allowedUrl } from '../net/outbound.ts';
import { type Field, Refused, textField } from '../records/fields.ts';

const allowed = { en: 'a public https address', tr: 'herkese açık bir https adresi' };
const text = textField(2000);

/** Stored exactly as given. Browsers accept odd spellings of URLs, so only plain ones are accepted here. */
export const linkField: Field<string> = {
  ...text,
  schema: { type: 'string', format: 'uri', pattern: '^https://', maxLength: 2000 },
  read: (value, context) => {
    const link = text.read(value, context);
    if (link instanceof Refused) return link;
    const isPlain = /^https:\/\/[^\s\\"'<>`]+$/i.test(link) && allowedUrl(link, { loopback: false }) !== null;
    return isPlain ? link : new Refused('invalid', allowed);
  },
};
