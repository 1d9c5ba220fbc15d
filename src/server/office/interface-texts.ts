import type { InterfaceText } from '../../contract/office-interface-texts.ts'
import { shippedTexts } from '../../i18n/interface-texts.ts'
import { LOCALES, type Locale } from '../../i18n/locales.ts'
import { longestInterfaceText, placeholdersIn } from '../../rules/interface-texts.ts'
import { ApiFault } from '../http/errors.ts'
import { findText, findTexts, saveInterfaceText } from '../site-texts/site-texts.ts'
import { COMMAND_LINE } from '../staff-log/staff-log.ts'
import { type Command, readChoice, wrongUsage } from './command.ts'

export const interfaceTextCommands: readonly Command[] = [
  {
    name: 'texts',
    usage: '[words]',
    summary:
      'Lists the interface’s texts with these words in any language, or those that are changed.',
    details: [
      'texts "add to cart"          by words, or by a piece of the key',
      'texts                        what stands in place of shipped texts',
    ],
    async run({ database }, { args: [words] }) {
      const texts = await findTexts(
        database.kysely,
        words === undefined ? { state: 'own' } : { q: words },
      )
      return { lines: texts.flatMap(linesOf), json: { texts } }
    },
  },
  {
    name: 'text',
    usage: '<key> [language] [text]',
    summary: 'Shows a text of the interface, or puts one in its place, public at once.',
    details: [
      'text shop:title fr "La boutique"',
      'site undo text shop:title fr 0           the shipped text again',
    ],
    async run(deps, { args: [typed, language, text] }) {
      const key = checkedKey(typed)
      if (language !== undefined) {
        const locale = readChoice('The language', language, LOCALES) as Locale
        if (text === undefined) throw wrongUsage('text takes a text as well.')
        const change = { revision: null, text, actor: COMMAND_LINE }
        await saveInterfaceText(deps, { key, locale }, change).catch((error: unknown) => {
          const fields = error instanceof ApiFault && error.extra.fields
          throw fields ? wrongUsage(mistake({ key, locale }, Object.values(fields)[0])) : error
        })
      }
      const found = await findText(deps.database.kysely, key)
      return { lines: linesOf(found), json: { text: found } }
    },
  },
]

/** Returns the typed key if the shop has a text for it in any language. */
export function checkedKey(typed = ''): string {
  if (LOCALES.some((locale) => shippedTexts(locale).has(typed))) return typed
  throw wrongUsage(`There is no text "${typed}"; \`texts <words>\` finds keys.`)
}

function mistake({ key, locale }: { key: string; locale: Locale }, problem: unknown): string {
  const shipped = shippedTexts(locale).get(key) ?? ''
  const names = placeholdersIn(shipped).map((name) => `{{${name}}}`)
  if (problem === 'placeholder') {
    return `It has to fill in ${names.length > 0 ? `just ${names.join(', ')}` : 'nothing'}, as the shipped text does.`
  }
  if (problem === 'maxLength') return `It has at most ${longestInterfaceText(shipped)} characters.`
  return `It is not taken (${problem}).`
}

function linesOf(text: InterfaceText): string[] {
  const lines = LOCALES.flatMap((locale) => {
    const found = text[locale]
    if (!found) return []
    const { shipped, own, isIgnored } = found
    const mark = isIgnored ? ' (does not fit any more: the shipped text is shown)' : ''
    return [`  ${locale}  ${shipped}`, ...(own === null ? [] : [`  ${locale}→ ${own}${mark}`])]
  })
  return [text.key, ...lines]
}
