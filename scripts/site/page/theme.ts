// The switch between light and dark. It is remembered; before it is used, the system decides.
const key = 'theme';

/** In every document of the site, so that a frame and another tab follow. */
export function applyTheme(): void {
  addEventListener('storage', show);
  show();
}

function show(): void {
  const remembered = localStorage.getItem(key);
  if (remembered !== null) document.documentElement.dataset['theme'] = remembered;
}

export function setUpTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('.theme');
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const showState = () => button?.setAttribute('aria-pressed', String(isDark()));
  if (button) button.hidden = false;
  button?.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    showState();
    localStorage.setItem(key, root.dataset['theme']);
  });
  system.addEventListener('change', showState);
  showState();
}
