// What the reference gains with JavaScript: search, copy buttons, the chosen language kept, what an address names opened.
const root = document.body;

// Search. The index is asked for when someone first means to search.
const MAX_SHOWN = 30;
const input = document.getElementById('search');
const list = document.getElementById('found');
const count = document.getElementById('count');
let index = null;

async function loadIndex() {
  const reply = await fetch(input.dataset.index);
  return globalThis.docsSearch.readIndex(await reply.json());
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
  show(globalThis.docsSearch.find(input.value, index));
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

/** Some browsers keep nothing. */
function kept(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

/** Light, dark, or as the system has it. */
function chooseTheme() {
  const choice = document.getElementById('theme');
  const apply = (theme) => {
    if (theme === '') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  const before = kept((store) => store.getItem('docs-theme'));
  choice.value = before === 'light' || before === 'dark' ? before : '';
  apply(choice.value);
  choice.hidden = false;
  choice.addEventListener('change', () => {
    apply(choice.value);
    kept((store) => store.setItem('docs-theme', choice.value));
  });
}

/** The language of the samples, on every page; a browser that keeps nothing shows the first. */
function keepLanguage() {
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

/** The table of contents is long, and the open page may be far down in it. */
function showCurrent() {
  const contents = document.getElementById('contents');
  const current = contents.querySelector('[aria-current="page"]');
  if (current !== null) contents.scrollTop = current.offsetTop - contents.clientHeight / 3;
}

chooseTheme();
openSearch();
showCurrent();
addCopyButtons();
keepLanguage();
followReader();
openTarget();
addEventListener('hashchange', openTarget);
