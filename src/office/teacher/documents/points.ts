import { fillText, formatPoints } from '../../../i18n/format.ts'
import type { Locale } from '../../../i18n/locales.ts'
import type { TextsAt } from '../../../i18n/texts.ts'
import { HIGHEST_MARK, pointsIn, QUARTERS, sumOf } from '../../../rules/exam.ts'

/** What the form says of typed points: a mistake, or the sum so far. They are saved in any case. */
export function judgePoints(
  locale: Locale,
  texts: TextsAt<'office-documents:form'>['points'],
  typed: string,
): { error?: string; hint?: string } {
  const points = pointsIn(typed)
  if (!points) return { error: texts.wrong }
  const shown = (quarters: number) => formatPoints(locale, quarters / QUARTERS)
  const sum = sumOf(points)
  const values = { sum: shown(sum), most: shown(HIGHEST_MARK) }
  if (sum > HIGHEST_MARK) return { error: fillText(texts.tooMany, values) }
  if (sum === HIGHEST_MARK) {
    return points.length > 1 ? { hint: fillText(texts.whole, values) } : { error: texts.single }
  }
  return { hint: fillText(texts.sum, values) }
}
