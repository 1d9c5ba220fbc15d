import { expect, test } from 'vitest'
import { LOCALES } from '../../src/i18n/locales.ts'
import { textsIn } from '../../src/i18n/texts.ts'
import { actionKey, STAFF_ACTIONS } from '../../src/rules/office-actions.ts'

test('every staff action has a text in the log', () => {
  for (const locale of LOCALES) {
    const words = Object.keys(textsIn(locale, 'office-log:actions'))
    expect(words.sort(), locale).toEqual(STAFF_ACTIONS.map(actionKey).sort())
  }
})
