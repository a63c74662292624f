// What the reference page gains with JavaScript: filter as you type, copy, open the row an address names, show where one is.
const root = document.body;
const input = document.getElementById('filter');
const found = document.getElementById('found');
const rows = [...document.querySelectorAll('details.row')];

/** Search without regard to Turkish letters: `İLAN`, `ilan` and `ılan` are the same. */
function fold(text) {
  return text.toLocaleLowerCase('tr').normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');
}

const texts = new Map(rows.map((row) => [row, fold(row.querySelector('summary').textContent)]));

function applyFilter() {
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    row.hidden = !words.every((word) => texts.get(row).includes(word));
    if (!row.hidden) count += 1;
  }
  for (const category of document.querySelectorAll('.category')) {
    category.hidden = category.querySelector('.row:not([hidden])') === null;
    const link = document.querySelector(`.contents a[href="#${category.id}"]`);
    link.parentElement.hidden = category.hidden;
  }
  for (const part of document.querySelectorAll('.guide')) part.hidden = words.length > 0;
  document.querySelector('main').classList.toggle('filtering', words.length > 0);
  document.querySelector('.none').hidden = count > 0;
  found.textContent = words.length > 0 ? `${count} ${found.dataset.words}` : '';
}

function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  if (target?.matches('details')) target.open = true;
  // Where a filter hides what the address names, the filter gives way.
  if (target !== null && target.closest('[hidden]') !== null && input.value !== '') {
    input.value = '';
    applyFilter();
    target.scrollIntoView();
  }
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

function followReader() {
  const links = new Map([...document.querySelectorAll('.contents li a')].map((link) => [link.hash.slice(1), link]));
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

document.querySelector('.filter').hidden = false;
input.addEventListener('input', applyFilter);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  }
});
addEventListener('hashchange', openTarget);
addCopyButtons();
followReader();
openTarget();
