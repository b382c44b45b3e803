// What every page of the site loads: the search, Copy, and Run beside its snippets.
import { setUpCopy } from './copy.ts';
import { setUpSearch } from './search.ts';
import { setUpSnippets } from './snippets.ts';

/** The folder of the site, wherever it is served from. */
const root = new URL('..', (document.currentScript as HTMLScriptElement).src);

setUpSearch(root);
setUpCopy();
setUpSnippets(root);

const navigation = document.getElementById('contents');
const here = navigation?.querySelector<HTMLElement>('[aria-current]');
if (navigation && here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2;
