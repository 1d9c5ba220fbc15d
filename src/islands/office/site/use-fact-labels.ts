import { fillText } from '../../../i18n/format.ts'
import { isLocale, LANGUAGE_NAMES } from '../../../i18n/locales.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import { useTexts } from '../../parts/island.tsx'

/** Returns a function that labels a field: `addresses.0.fr` is "Adresse 1 · Français". */
export function useFactLabels(group: FactGroup): (field: string) => string {
  const texts = useTexts('office-site:factFields')
  return (field) => {
    const [name = '', at = '', part] = field.split('.')
    const number = { number: Number(at) + 1 }
    const language = part ?? at
    const ending = isLocale(language) ? ` · ${LANGUAGE_NAMES[language]}` : ''
    if (group === 'brand') {
      if (name === 'name') return texts.shopName + ending
      if (name === 'slogan') return texts.slogan + ending
      if (name === 'credit') return at === 'url' ? texts.creditUrl : texts.creditName
      return name === 'logo' ? texts.logo : texts.accent
    }
    if (name === 'phones') return fillText(texts.phones, number)
    if (name === 'addresses') return fillText(texts.addresses, number) + ending
    if (name === 'links') return fillText(part === 'url' ? texts.linkUrl : texts.linkName, number)
    if (name === 'place') return at === 'latitude' ? texts.latitude : texts.longitude
    if (name === 'name') return texts.bankName + ending
    if (name === 'phone') return texts.d17Phone
    if (name === 'school') return texts.school + ending
    if (name === 'followers') return texts.followers
    if (name === 'email') return texts.email
    return group === 'bank' && name === 'rib' ? texts.rib : texts.holder
  }
}
