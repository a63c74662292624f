// Words that the project's English avoids (the style page in CONTRIBUTING); each test picks the text that it reads.
const WORDS = [
  'whoever',
  'nobody',
  'somebody',
  'whatever',
  'meanwhile',
  'anew',
  'told',
  'tells',
  'stands?',
  'said',
  'goes on',
  'by itself',
  'is meant',
  'of a thing',
  'behind',
];

/** Matches one of the words, or of those that only this test refuses. */
export const refusedWords = (more: readonly string[] = []): RegExp => new RegExp(`\\b(${[...WORDS, ...more].join('|')})\\b`, 'i');
