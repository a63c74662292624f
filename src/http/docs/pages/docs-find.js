// Ranks the entries of the search index. Without a page, so that tests run the same lines.

/** Compares without regard to Turkish letters and signs: `İLAN`, `ilan` and `ılan` are the same, as are `rate_limit` and `rate limit`. */
function fold(text) {
  const plain = text.toLocaleLowerCase('tr').normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** Each entry with its texts folded; a space before a word marks its beginning. */
function readIndex({ entries, synonyms, fillers }) {
  const groups = synonyms
    .map((group) => group.map(fold))
    .map((terms) => ({ terms, phrases: terms.filter((term) => term.includes(' ')) }));
  return {
    groups,
    fillers: new Set(fillers.map(fold)),
    entries: entries.map(({ at, title, sub, text, also = '', rank = 0, fields = [] }) => ({
      at,
      title,
      sub,
      rank,
      title_: ` ${fold(title)} `,
      head: ` ${fold(`${title} ${sub}`)} `,
      also: ` ${fold(also)} `,
      whole: ` ${fold(`${title} ${sub} ${also} ${text}`)} `,
      fields: fields.map((field) => ({
        name: field.split(' ')[0],
        last: fold(field.split(' ')[0].split('.').at(-1)),
        text: ` ${fold(field)} `,
      })),
    })),
  };
}

/** The words of a question, each with what else it may be called. Fillers count only where there is nothing else. */
function readQuestion(question, { groups, fillers }) {
  let text = ` ${fold(question)} `;
  const terms = [];
  for (const { terms: same, phrases } of groups) {
    const phrase = phrases.find((one) => text.includes(` ${one} `));
    if (phrase === undefined) continue;
    text = text.replace(` ${phrase} `, ' ');
    terms.push({ own: phrase, same });
  }
  const words = text.split(' ').filter(Boolean);
  const kept = words.filter((word) => !fillers.has(word));
  const own = kept.length + terms.length > 0 ? kept : words;
  for (const word of own) {
    const same = groups.filter((group) => group.terms.some((term) => isForm(word, term))).flatMap((group) => group.terms);
    terms.push({ own: word, same });
  }
  return terms;
}

/** `uploads` is a form of `upload`, `plakayı` of `plaka`: the same beginning, and at most three letters more. */
const isForm = (word, term) => word === term || (term.length > 3 && word.startsWith(term) && word.length - term.length <= 3);

/** Words that were typed with another ending. */
const stemOf = (word) => (word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : null);

function scoreOfTerm({ own, same }, entry) {
  const begins = ` ${own}`;
  if (entry.title_.includes(`${begins} `)) return 8;
  if (entry.also.includes(`${begins} `)) return 7;
  if (entry.head.includes(begins)) return 5;
  const named = same.find((term) => entry.also.includes(` ${term} `) || entry.title_.includes(` ${term} `));
  if (named !== undefined) return 6;
  if (entry.also.includes(begins)) return 4;
  if (entry.whole.includes(begins)) return 2;
  if (same.some((term) => entry.whole.includes(` ${term}`))) return 1.5;
  const stem = stemOf(own);
  if (stem === null || !entry.whole.includes(` ${stem}`)) return 0;
  return entry.head.includes(` ${stem}`) || entry.also.includes(` ${stem}`) ? 3 : 1;
}

/** A field counts by its own name and values; further words must be about its endpoint. */
function findFields(entry, terms, question, ownScore) {
  const asked = ` ${fold(question)} `;
  return entry.fields.flatMap(({ name, last, text }) => {
    const others = terms.filter(({ own }) => !text.includes(` ${own}`));
    if (others.length === terms.length) return [];
    const scores = others.map((term) => scoreOfTerm(term, entry));
    if (scores.includes(0)) return [];
    const about = { at: `${entry.at}.${name}`, title: name, sub: entry.sub };
    if (name.includes('_') && question.includes(name)) return [{ ...about, score: sumOf(scores) + 20 }];
    if (!asked.includes(` ${last} `)) return [{ ...about, score: 1.5 }];
    // Where the endpoint has every word too, it comes before its fields.
    const score = sumOf(scores) + 5 * last.split(' ').length;
    return [{ ...about, score: terms.length > 1 && ownScore > 0 ? Math.min(score, ownScore - 0.5) : score }];
  });
}

const sumOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0);

/** Best first. An entry that lacks a word loses points. */
function find(question, index) {
  const terms = readQuestion(question, index);
  if (terms.length === 0) return null;
  const found = index.entries.flatMap((entry) => {
    const scores = terms.map((term) => scoreOfTerm(term, entry));
    const missing = scores.filter((one) => one === 0).length;
    const score = sumOf(scores) + entry.rank - 4 * missing;
    const fields = findFields(entry, terms, question, missing === 0 ? score : 0);
    if (missing > terms.length / 2) return fields;
    return [{ ...entry, score }, ...fields];
  });
  return found.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}

/** For docs.js, which is in the same script. */
globalThis.docsSearch = { readIndex, find };
