// Copy beside each block of code.
const shownMs = 2_000;

export function setUpCopy(): void {
  for (const code of document.querySelectorAll<HTMLElement>('main .block')) {
    const button = document.createElement('button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.querySelector('pre')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => Object.assign(button, { textContent: 'Copy' }), shownMs);
    });
    code.append(button);
  }
}
