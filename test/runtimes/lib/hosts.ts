/** The table of the hosts that wait for a call by themselves, without calling `then`. */
export const table = 'Hosts that wait';

/** What `scenario/lost-calls.js` finds. */
export const lostCallSteps = ['reported once', 'not reported when handled'] as const;
