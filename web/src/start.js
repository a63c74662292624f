// Runs before the first paint, and before the panel's code is fetched: the chosen theme, density and language never flash, and what the
// first screen reads is requested at once.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const kept = (name) => {
    try {
      return localStorage.getItem(`galeri.${name}`);
    } catch {
      return null;
    }
  };
  const show = () => {
    const theme = kept('theme');
    root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : dark.matches ? 'dark' : 'light';
    root.dataset.density = kept('density') ?? 'normal';
    const asked = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'tr' || tag === 'en');
    root.lang = kept('locale') ?? asked ?? 'tr';
  };
  show();
  dark.addEventListener('change', show);
  addEventListener('galeri:preferences', show);

  // By address, for `api.ts`. Nothing is requested in the sandbox, because reading its session creates the sandbox.
  const replies = new Map();
  window.galeriReplies = replies;
  if (/^\/panel\/sandbox(\/|$)/.test(location.pathname)) return;
  const request = (path) => {
    const address = `/panel/api/${path}`;
    const headers = { 'Accept-Language': root.lang };
    // Read whole: a reply that no screen takes would keep its connection.
    const whole = async (reply) => new Response((await reply.text()) || null, { status: reply.status, headers: reply.headers });
    replies.set(
      address,
      fetch(address, { credentials: 'same-origin', headers })
        .then(whole)
        .catch(() => null),
    );
  };
  const READS = [
    [/^$/, ['overview']],
    [/^araclar$/, ['vehicles/list', 'vehicles/counts']],
    [/^araclar\/([0-9a-f-]{36})$/, ['v1/vehicles/$1', 'v1/vehicles/$1/photos?limit=100']],
    [/^satislar\/([0-9a-f-]{36})$/, ['v1/sales/$1', 'v1/sales/$1/installment-plan']],
    [/^tahsilat$/, ['receivables/board', 'branches?limit=100']],
  ];
  request('session');
  // The mark is set where every address below may be read: a refused request would be in the audit log.
  const screen = location.pathname.replace(/^\/panel\/?/, '');
  if (kept('staff') === 'yes' && location.search === '')
    for (const [pattern, paths] of READS)
      if (pattern.test(screen)) for (const path of paths) request(screen.replace(pattern, path));
  // A reply that no screen has taken by then is too old.
  setTimeout(() => replies.clear(), 10_000);
})();
