// What every page of the site loads: colours, the search, Copy, the outline, and Run beside its snippets.
import { setUpCopy } from './copy.ts';
import { setUpOutline } from './outline.ts';
import { setUpSearch } from './search.ts';
import { setUpSnippets } from './snippets.ts';
import { applyTheme, setUpTheme } from './theme.ts';

/** The folder of the site, wherever it is served from. */
const root = new URL('..', (document.currentScript as HTMLScriptElement).src);

document.addEventListener('DOMContentLoaded', () => {
  setUpSearch(root);
  setUpCopy();
  setUpSnippets(root);
  setUpOutline();
  setUpTheme();

  const navigation = document.getElementById('contents');
  const here = navigation?.querySelector<HTMLElement>('[aria-current]');
  // A link to a section of this page leaves the menu open otherwise.
  navigation?.addEventListener('click', () => {
    if (navigation.matches(':popover-open')) navigation.hidePopover();
  });
  const showHere = () => {
    if (navigation && here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;
  };
  navigation?.addEventListener('toggle', showHere);
  showHere();
});

// Before the page is painted.
applyTheme();
