import type { LoggedAction } from '../../../contract/office-log.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { SETTING_UNITS, type SettingName } from '../../../rules/shop-settings.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

/**
 * Returns a function that words why something was done. The log holds changes as the code names
 * them, `withholding = 1000: …` and `title="…" price=5000`.
 */
export function useReasonText(): (row: Pick<LoggedAction, 'action' | 'reason'>) => string {
  const settings = useTexts('office-log:settings')
  const fields: Readonly<Record<string, string>> = useTexts('office-log:fields')
  const locale = useLocale()

  function settingText(name: string, value: string): string | null {
    if (!Object.hasOwn(SETTING_UNITS, name)) return null
    const known = name as SettingName
    const number = Number(value)
    const words = Number.isNaN(number)
      ? settings.default
      : {
          percent: () => `${number} %`,
          hundredths: () => `${number / 100} %`,
          days: () => fillText(settings.days, { count: value }),
          amount: () => priceText(locale, number),
          switch: () => (number === 1 ? settings.on : settings.off),
        }[SETTING_UNITS[known]]()
    return fillText(settings.is, { name: settings.names[known], value: words })
  }

  function fieldText(path: string, json: string): string {
    const [name = '', ...parts] = path.split('.')
    const word = [fields[name] ?? name, ...parts].join(' ')
    return fillText(settings.is, { name: word, value: valueText(name, json) })
  }

  function valueText(name: string, json: string): string {
    const value = JSON.parse(json) as unknown
    if (value === null || value === '') return '–'
    const [, account] = /^user (\d+)$/.exec(String(value)) ?? []
    if (name === 'wallet' && account) return account
    return typeof value === 'string' ? `\u2068${value}\u2069` : json
  }

  return ({ action, reason }) => {
    const text = reason ?? ''
    const [, name = '', value = '', , why] = SETTING.exec(text) ?? []
    const setting = action === 'change setting' ? settingText(name, value) : null
    if (setting) return [setting, why].filter(Boolean).join(' · ')
    const changes = [...text.matchAll(CHANGE)]
    // A cut-off or a free text stays as it was written.
    const isWhole = changes.map(([whole]) => whole).join('') === text
    if (!isWhole || text === '') return text
    return changes.map(([, path = '', json = '']) => fieldText(path, json)).join(' · ')
  }
}

const SETTING = /^(\w+) = (\d+|the default)(: ([\s\S]*))?$/
// Sticky: the next change begins where the last one ended.
const CHANGE = /([A-Za-z][\w.]*)=("(?:[^"\\]|\\.)*"|null|true|false|-?[\d.]+|\[[^[\]]*\])(?: |$)/gy
