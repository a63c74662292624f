// What the reference gains with JavaScript: search, copy buttons, the chosen language kept, what an address names opened.
const root = document.body;

/** Compares without regard to Turkish letters: `İLAN`, `ilan` and `ılan` are the same. */
function fold(text) {
  return text.toLocaleLowerCase('tr').normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
}

// Search. The index is asked for when someone first means to search.
const MAX_SHOWN = 30;
const input = document.getElementById('search');
const list = document.getElementById('found');
const count = document.getElementById('count');
let index = null;

async function loadIndex() {
  const reply = await fetch(input.dataset.index);
  const { entries } = await reply.json();
  return entries.map(({ at, title, sub, text, fields = [] }) => ({
    at,
    title,
    sub,
    head: fold(`${title} ${sub}`),
    whole: fold(`${title} ${sub} ${text}`),
    fields: fields.map((field) => ({ name: field.split(' ')[0], text: fold(field) })),
  }));
}

/** Every word must be found; the better the place, the higher the score. */
function scoreOf(entry, words) {
  if (!words.every((word) => entry.whole.includes(word))) return 0;
  const inHead = words.filter((word) => entry.head.includes(word)).length;
  const begins = entry.head.startsWith(words[0]) || entry.head.split(' ').some((part) => part === words[0]);
  return 1 + 3 * inHead + (begins ? 4 : 0);
}

/** A field counts by its own name and values; further words may name its endpoint. */
function fieldsOf(entry, words) {
  return entry.fields
    .filter(
      ({ text }) =>
        words.some((word) => text.includes(word)) && words.every((word) => text.includes(word) || entry.whole.includes(word)),
    )
    .map(({ name, text }) => {
      const exact = words.includes(text.split(' ')[0].split('.').at(-1));
      return { at: `${entry.at}.${name}`, title: name, sub: entry.sub, score: exact ? 6 : 1.5 };
    });
}

function find(text) {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = index.flatMap((entry) => {
    const score = scoreOf(entry, words);
    return [...(score > 0 ? [{ ...entry, score }] : []), ...fieldsOf(entry, words)];
  });
  return found.sort((one, other) => other.score - one.score);
}

function show(found) {
  list.hidden = found === null;
  count.textContent = found === null ? '' : `${found.length} ${count.dataset.words}`;
  list.replaceChildren(
    ...(found ?? []).slice(0, MAX_SHOWN).map(({ at, title, sub }) => {
      const link = document.createElement('a');
      link.href = at;
      const name = document.createElement('span');
      name.textContent = title;
      const place = document.createElement('small');
      place.textContent = sub;
      link.append(name, ' ', place);
      return link;
    }),
  );
  if (found?.length === 0) list.textContent = count.dataset.none;
}

async function search() {
  index ??= loadIndex();
  index = await index;
  show(find(input.value));
}

/** Up and down through the input and what was found; Enter on the input goes to the first. */
function moveThrough(event) {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  const to = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : null;
  if (event.key === 'Escape') {
    input.value = '';
    show(null);
    input.focus();
  } else if (event.key === 'Enter' && at < 0) links[0]?.click();
  else if (to === null || list.hidden) return;
  else if (to < 0) input.focus();
  else links[Math.min(to, links.length - 1)]?.focus();
  event.preventDefault();
}

function openSearch() {
  const box = document.querySelector('.search');
  box.hidden = false;
  input.addEventListener('focus', () => {
    index ??= loadIndex();
  });
  input.addEventListener('input', search);
  box.addEventListener('keydown', (event) => {
    if (['ArrowDown', 'ArrowUp', 'Escape'].includes(event.key) || (event.key === 'Enter' && event.target === input))
      moveThrough(event);
  });
  // What was found goes away when one turns to something else, or has followed it on this page.
  document.addEventListener('click', ({ target }) => {
    if (!box.contains(target) || target.closest('.found a')) show(null);
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !box.contains(relatedTarget)) show(null);
  });
  document.addEventListener('keydown', (event) => {
    const typing = /^(input|textarea|select)$/i.test(document.activeElement.tagName) && document.activeElement.type !== 'radio';
    const asked = event.key === '/' || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey));
    if (!asked || (event.key === '/' && (typing || event.ctrlKey || event.metaKey || event.altKey))) return;
    event.preventDefault();
    input.select();
    input.focus();
  });
}

function addCopyButtons() {
  if (navigator.clipboard === undefined) return;
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = root.dataset.copy;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('pre').textContent);
      button.textContent = root.dataset.copied;
      setTimeout(() => {
        button.textContent = root.dataset.copy;
      }, 1500);
    });
    figure.querySelector('figcaption').after(button);
  }
}

/** The language of the samples, on every page; a browser that keeps nothing shows the first. */
function keepLanguage() {
  const kept = (act) => {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  };
  const before = kept((store) => store.getItem('docs-language'));
  for (const choice of document.querySelectorAll('.languages input')) {
    if (choice.value === before) choice.checked = true;
    choice.addEventListener('change', () => kept((store) => store.setItem('docs-language', choice.value)));
  }
}

/** What an address names may be folded away. */
function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (target === null) return;
  const fold = target.closest('details') ?? target.querySelector(':scope > details');
  if (fold === null || fold.open) return;
  fold.open = true;
  target.scrollIntoView();
}

function followReader() {
  const links = new Map(
    [...document.querySelectorAll('.contents li a')]
      .filter((link) => link.pathname === location.pathname && link.hash !== '')
      .map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  const watcher = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ isIntersecting }) => isIntersecting);
      if (entry === undefined) return;
      for (const [id, link] of links) {
        if (id === entry.target.id) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-80px 0px -80% 0px' },
  );
  for (const section of document.querySelectorAll('main > section')) watcher.observe(section);
}

/** The contents are long, and the page that is open may stand far down in them. */
function showCurrent() {
  const contents = document.getElementById('contents');
  const current = contents.querySelector('[aria-current="page"]');
  if (current !== null) contents.scrollTop = current.offsetTop - contents.clientHeight / 3;
}

openSearch();
showCurrent();
addCopyButtons();
keepLanguage();
followReader();
openTarget();
addEventListener('hashchange', openTarget);
