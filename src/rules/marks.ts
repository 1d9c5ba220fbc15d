import { HIGHEST_MARK } from './exam.ts'

// How marks are shown: a curve for each subject over a school year.

interface Given {
  readonly quarters: number
  readonly satAt: string
  readonly child: string
  readonly matiereId: number | null
}

/** The month with which a school year begins, from 1. */
const FIRST_MONTH = 9

/** The year in which the school year of an exam begins. */
export function schoolYearOf(satAt: string): number {
  const at = new Date(satAt)
  return at.getUTCFullYear() - (at.getUTCMonth() + 1 < FIRST_MONTH ? 1 : 0)
}

/** The school years of marks, the last one first, and the first names, in the order of the alphabet. */
export function choicesOf(marks: readonly Given[]): { years: number[]; children: string[] } {
  const years = new Set(marks.map(({ satAt }) => schoolYearOf(satAt)))
  const children = new Set(marks.map(({ child }) => child))
  return {
    years: [...years].toSorted((a, b) => b - a),
    children: [...children].toSorted((a, b) => a.localeCompare(b)),
  }
}

/** The marks of each subject, the oldest first; the subject with the newest mark comes first. */
export function bySubject<Mark extends Given>(marks: readonly Mark[]): [Mark, ...Mark[]][] {
  const subjects = new Map<number | null, [Mark, ...Mark[]]>()
  for (const mark of marks.toSorted((a, b) => b.satAt.localeCompare(a.satAt))) {
    const others = subjects.get(mark.matiereId)
    subjects.set(mark.matiereId, others ? [mark, ...others] : [mark])
  }
  return [...subjects.values()]
}

/** The points of a curve in a box, one after another at the same distance, higher marks further up. */
export function curveOf(
  quarters: readonly number[],
  { width, height }: { width: number; height: number },
): { x: number; y: number }[] {
  const step = width / Math.max(1, quarters.length - 1)
  return quarters.map((each, at) => ({
    x: quarters.length === 1 ? width / 2 : at * step,
    y: height - (each / HIGHEST_MARK) * height,
  }))
}
