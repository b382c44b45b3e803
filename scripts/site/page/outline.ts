// Marks in the outline the section that is being read.
const headerHeight = 80;

export function setUpOutline(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline a')];
  const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
  const mark = () => {
    const here = headings.findLastIndex(
      (heading) => (heading?.getBoundingClientRect().top ?? 0) < headerHeight,
    );
    for (const [index, link] of links.entries()) link.ariaCurrent = index === here ? 'true' : null;
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}
