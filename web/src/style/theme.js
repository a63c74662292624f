// Runs before the first paint, so that the chosen theme, density and language never flash. The panel keeps these in step.
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
})();
