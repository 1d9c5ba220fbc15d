import { dinars, type Millimes } from '../../../rules/money.ts'
import { isBlank } from '../../../rules/pasted-text.ts'
import { type AmountProblem, amountProblem, parseDinars } from '../../../rules/typed-numbers.ts'

type AmountMistake = 'required' | AmountProblem | 'min' | 'max'

/** Parses a typed amount in dinars into millimes, or returns the mistake in it. */
export function readAmount(
  typed: string,
  { least, most }: { least: Millimes; most: Millimes },
): Millimes | AmountMistake {
  if (isBlank(typed)) return 'required'
  const parsed = parseDinars(typed)
  if (parsed === null) return amountProblem(typed)
  const amount = dinars(parsed)
  if (amount < least) return 'min'
  return amount > most ? 'max' : amount
}
