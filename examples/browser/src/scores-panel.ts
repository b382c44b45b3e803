// The chart of scores on the page, from all results of an exam or a participant.

import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { count, element, find } from './dom.ts';
import { type Bar, histogram } from './histogram.ts';
import { Panel } from './panel.ts';
import type { ResultFilter } from './results-panel.ts';
import { client } from './service.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Scores beyond this many are not in the chart. */
const MOST_SCORES = 2000;

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** How the scores of all results, not only of one page, are spread. */
export class ScoresPanel {
  readonly #panel = new Panel('#scores');
  readonly #canvas = find('canvas', HTMLCanvasElement, this.#panel.section);
  readonly #figures = find('dl', HTMLDListElement, this.#panel.section);
  readonly #chart: Chart<'bar', number[], string>;

  constructor() {
    this.#chart = new Chart(this.#canvas, {
      type: 'bar',
      data: {
        labels: [],
        datasets: [{ data: [], borderRadius: 4, categoryPercentage: 0.92, barPercentage: 1 }],
      },
      options: {
        animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? false : { duration: 250 },
        maintainAspectRatio: false,
        scales: {
          x: { grid: { display: false }, title: { display: true, text: 'Score' } },
          y: {
            beginAtZero: true,
            grace: '5%',
            ticks: { precision: 0 },
            title: { display: true, text: 'Results' },
          },
        },
        plugins: {
          tooltip: {
            displayColors: false,
            callbacks: { label: ({ parsed }) => count(parsed.y ?? 0, 'result') },
          },
        },
      },
    });
    this.#paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
  }

  show(filter: ResultFilter): Promise<void> {
    return this.#panel.load(async (signal) => {
      const results = client.examResults.list({ ...filter, limit: 100 }, { signal, concurrency: 2 });
      const scores = (await results.toArray({ maxItems: MOST_SCORES })).flatMap(({ score }) => score ?? []);
      this.#draw(scores);
      if (scores.length === 0) return 'There are no scores to show.';
      const cut = scores.length === MOST_SCORES ? 'The first ' : '';
      return cut + count(scores.length, 'score');
    });
  }

  #draw(scores: readonly number[]): void {
    const bars = histogram(scores);
    this.#panel.section.toggleAttribute('data-empty', scores.length === 0);
    this.#chart.data.labels = bars.map(({ from, to }) => `${number.format(from)}–${number.format(to)}`);
    for (const dataset of this.#chart.data.datasets) dataset.data = bars.map(({ count }) => count);
    this.#chart.update();
    this.#canvas.ariaLabel = describe(bars);
    this.#figures.replaceChildren(
      ...figuresOf(scores).flatMap(([name, value]) => [
        element('div', {}, element('dt', {}, name), element('dd', {}, number.format(value))),
      ]),
    );
  }

  /** Takes the colours from the style sheet, which knows whether it is dark. */
  #paint(): void {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    for (const dataset of this.#chart.data.datasets) dataset.backgroundColor = colour('--accent');
    for (const scale of Object.values(this.#chart.options.scales ?? {})) {
      if (scale === undefined) continue;
      scale.ticks = { ...scale.ticks, color: colour('--quiet') };
      scale.grid = { ...scale.grid, color: colour('--line') };
      scale.border = { color: colour('--line') };
      if ('title' in scale) scale.title = { ...scale.title, color: colour('--quiet') };
    }
    this.#chart.update('none');
  }
}

function figuresOf(scores: readonly number[]): [name: string, value: number][] {
  if (scores.length === 0) return [];
  const sum = scores.reduce((total, score) => total + score, 0);
  return [
    ['Average', sum / scores.length],
    ['Lowest', Math.min(...scores)],
    ['Highest', Math.max(...scores)],
  ];
}

/** The chart in words. */
function describe(bars: readonly Bar[]): string {
  const parts = bars.map(
    ({ from, to, count }) => `${number.format(from)} to ${number.format(to)}: ${number.format(count)}`,
  );
  return `Bar chart of scores. ${parts.join('; ')}.`;
}
