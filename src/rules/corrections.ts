import type { Detail } from './document-fields.ts'

/** How many corrections of one paper a teacher may have, in any state. */
export const CORRECTIONS_OF_PAPER_MAX = 5

/** How many corrections a paper's page names, those sold most first. */
export const CORRECTIONS_SHOWN = 3

/** How many papers an account may wait for. */
export const CORRECTION_WAITS_MAX = 100

/** How many papers a search for the paper of a correction offers. */
export const PAPERS_OFFERED = 20

/** The facts of a paper that its correction has too, unless its teacher has written others. */
export const SHARED_FACTS = [
  'paperKind',
  'paperNumber',
  'trimester',
  'schoolYear',
  'school',
] as const satisfies readonly Detail[]
