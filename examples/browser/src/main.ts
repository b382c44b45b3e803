// The start of the page: connects the form, the list of exams, the table of results and the chart.

import { find } from './dom.ts';
import { ExamsPanel } from './exams-panel.ts';
import { ResultsPanel } from './results-panel.ts';
import { ScoresPanel } from './scores-panel.ts';
import type { Exam } from './service.ts';
import { SignIn } from './sign-in.ts';

const form = find('.panels form', HTMLFormElement);
const participant = find('input', HTMLInputElement, form);
const limit = find('select', HTMLSelectElement, form);
const title = find('#results-title', HTMLElement);

let exam: Exam | null = null;
const results = new ResultsPanel();
const scores = new ScoresPanel();
const exams = new ExamsPanel((chosen) => {
  exam = chosen;
  showAll();
});

function filter() {
  return {
    exam_id: exam?.id,
    participant_id: participant.value === '' ? undefined : participant.valueAsNumber,
  };
}

function showTable(): void {
  const whose = document.body.dataset['role'] === 'teacher' ? 'Results' : 'My results';
  title.textContent = exam === null ? whose : `${whose}: ${exam.name ?? `exam ${exam.id}`}`;
  void results.show(filter(), Number(limit.value));
}

function showAll(): void {
  showTable();
  void scores.show(filter());
}

// Each keystroke sends a new request and aborts the previous one.
participant.addEventListener('input', () => {
  if (participant.reportValidity()) showAll();
});
limit.addEventListener('change', showTable);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => {
  exam = null;
  exams.clear();
  // The fields are empty only after this event.
  setTimeout(showAll);
});

const signIn = new SignIn(({ role }) => {
  document.body.dataset['role'] = role;
  void exams.load();
  showAll();
});
void signIn.resume();
