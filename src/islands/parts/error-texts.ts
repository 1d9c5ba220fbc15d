import type { ProblemCode } from '../../stores/shared/problem.ts'

/** `errors:codes` of locales: a sentence for each code of a failed call. */
export type ErrorTexts = Readonly<Record<ProblemCode, string>>
