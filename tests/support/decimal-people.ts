import { DESKTOP, PHONE } from './browser.ts'

export const personas = [
  { who: 'in Arabic on a phone', locale: 'ar', viewport: PHONE, of: (text: string) => text },
  {
    who: 'in French on a desktop',
    locale: 'fr',
    viewport: DESKTOP,
    of: (text: string) => text.replace('.', ','),
  },
] as const
