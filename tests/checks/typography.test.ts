import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../src/i18n/locales.ts'
import { read, sourceFiles } from './source.ts'

// How texts are written in each language, and the one word for a thing (docs/terms.md).

interface Rule {
  readonly name: string
  /** Matches what is wrong. */
  readonly wrong: RegExp
  readonly bad: string
  readonly good: string
}

const EVERYWHERE: readonly Rule[] = [
  { name: 'the apostrophe is ’', wrong: /'/, bad: "don't", good: 'don’t' },
  { name: 'no ASCII quotes', wrong: /"/, bad: 'press "Send"', good: 'press “Send”' },
  { name: 'the ellipsis is one character', wrong: /\.\.\./, bad: 'Saving...', good: 'Saving…' },
  { name: 'no doubled spaces', wrong: / {2}/, bad: 'one  two', good: 'one two' },
]

const RULES: Readonly<Record<Locale, readonly Rule[]>> = {
  ar: [
    { name: 'the comma is ، and the semicolon ؛', wrong: /[,;]/, bad: 'أ, ب', good: 'أ، ب' },
    { name: 'the question mark is ؟', wrong: /\?/, bad: 'لماذا?', good: 'لماذا؟' },
    { name: 'no space before a mark', wrong: /\s[،؛؟:.!%»](?!s)/, bad: 'لماذا ؟', good: 'لماذا؟' },
    { name: 'no space within «»', wrong: /«\s/, bad: '« وثائقي»', good: '«وثائقي»' },
    { name: 'digits and % are Latin', wrong: /[٠-٩٪]/, bad: '٢٠٪', good: '20%' },
    {
      name: 'no tatweel',
      wrong: /ـ(?! ?(?:X|«|\d|$))/,
      bad: 'كـرّاس',
      good: 'تنتهي بـ {{digits}}',
    },
    {
      name: 'tanwin is written',
      wrong: /(?<!\p{L})(?:أول|أوّل|غد|مع|يوم|ردّ|شيئ|جدّ|أيض|ملفّ|صفّ|مبلغ|مربّع|مجّ?ان)ا(?!\p{L})/u,
      bad: 'أوّلا',
      good: 'أوّلًا',
    },
    {
      name: 'the shadda of a word that has one is written',
      wrong: /(?<!\p{L})(?:ال|و)?(?:كل|ثم|حتى|ملف|ملفات|مواد|اتصال|أقل)(?![\p{L}\p{M}])/u,
      bad: 'كل الملفات',
      good: 'كلّ الملفّات',
    },
  ],
  fr: [
    {
      name: 'a no-break space before a colon',
      wrong: /(?<!\u00a0):(?=[\s*]|$)/,
      bad: 'Montant :',
      good: 'Montant\u00a0: {{amount}}',
    },
    {
      name: 'a narrow no-break space before ; ! ?',
      wrong: /(?<!\u202f)[;!?](?=[\s)*]|$)/,
      bad: 'Pourquoi\u00a0?',
      good: 'Pourquoi\u202f?',
    },
    {
      name: 'a no-break space before %',
      wrong: /(?<![\u00a0(])%(?!s)/,
      bad: '20 %',
      good: '20\u00a0%',
    },
    {
      name: 'no-break spaces within «»',
      wrong: /«(?!\u00a0)|(?<!\u00a0)»/,
      bad: '« Envoyer »',
      good: '«\u00a0Envoyer\u00a0»',
    },
    {
      name: 'no-break spaces between a number and what it counts or names',
      wrong: /[ \u202f](?:Mo|Ko|Go|DT)(?!\p{L})|[nN]°[ \u202f]|º/u,
      bad: 'Commande n° {{order}}',
      good: 'Commande n°\u00a0{{order}}, {{size}}\u00a0Mo',
    },
    { name: 'quotes are «»', wrong: /[“”]/, bad: '“Envoyer”', good: '«\u00a0Envoyer\u00a0»' },
  ],
  en: [
    { name: 'no space before a mark', wrong: /\s[:;!?%,](?=\s|$)/, bad: 'Why ?', good: 'Why?' },
    { name: 'quotes are “”', wrong: /[«»]/, bad: '«Send»', good: '“Send”' },
  ],
}

/** Names and words that a text may write in Latin letters on an Arabic page. */
const LATIN_NAMES =
  /Idempotency-Key|OpenStreetMap|Google Authenticator|Google Sheets|LibreOffice|JavaScript|SMTP_URL|SMS_URL|TRUSTED_PROXIES|FILES_URL|#aabbcc|previews|Unicode|Excel|catalogue\.csv|students|teachers|submitted|mailto|https|draft|Konnect|cookies|Aegis|UTF-8|none|HEIC|HTML|IBAN|JPEG|JSON|WebP|CDN|CSV|D17|PDF|PNG|RIB|SVG|ZIP|tel/g

/** Capitals that words have anywhere: names, and the labels that the screens have always had. */
const CAPITALS: Readonly<Record<'fr' | 'en', RegExp>> = {
  fr: /Google Authenticator|Google Sheets|LibreOffice|Excel|OpenStreetMap|JavaScript|Idempotency-Key|Karras|Konnect|Aegis|WebP|Réglages, Appareil photo, Formats, Le plus compatible|la Terre/g,
  en: /Google Authenticator|Google Sheets|LibreOffice|Excel|OpenStreetMap|JavaScript|Idempotency-Key|Karras|Konnect|Aegis|WebP|Tunisian?|Arabic|French|English|Latin|Earth|Send Reset Link|Reset Password|Settings, Camera, Formats, Most Compatible|Unknown Author|Unknown Title/g,
}

interface Written {
  readonly where: string
  readonly text: string
}

/** All texts of a language: its locale files, and the prose of its content pages. */
function textsOf(locale: Locale): Written[] {
  const found: Written[] = []
  const collect = (where: string, value: unknown): void => {
    if (typeof value === 'string') found.push({ where, text: value })
    else
      for (const [key, inner] of Object.entries(value as object)) collect(`${where} ${key}`, inner)
  }
  for (const file of sourceFiles(new RegExp(`^locales/${locale}/`)))
    collect(file, JSON.parse(read(file)))
  for (const file of sourceFiles(new RegExp(`^src/content/${locale}/.*\\.md$`))) {
    for (const line of read(file).split('\n')) found.push({ where: file, text: proseOf(line) })
  }
  return found
}

/** A line of a content page without what is not prose: names of fields, quotes and commas of YAML. */
function proseOf(line: string): string {
  const people = /^\s+- \{ firstName: (.*), lastName: (.*), role: (.*), text: "(.*)" \}$/.exec(line)
  if (people) return people.slice(1).join('. ')
  const field = /^[a-z]+: *(.*)$/.exec(line)
  return (field?.[1] ?? line).replace(/^"(.*)"$/, '$1')
}

/** Without what is filled in, and without addresses, which have marks of their own. */
const written = (text: string) =>
  text
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\//g, '')
    .replace(/\{\{\w+\}\}/g, 'X')

const mistakes = (texts: readonly Written[], wrong: RegExp) =>
  texts
    .filter(({ text }) => wrong.test(written(text)))
    .map(({ where, text }) => `${where}: ${text}`)

describe.each(LOCALES)('the texts in %s', (locale) => {
  const texts = textsOf(locale)

  test.each([...EVERYWHERE, ...RULES[locale]])('$name', ({ wrong, bad, good }) => {
    expect(written(bad)).toMatch(wrong)
    expect(written(good)).not.toMatch(wrong)
    expect(mistakes(texts, wrong)).toEqual([])
  })

  test('use the words of docs/terms.md', () => {
    const avoided = neverUsed()
    expect(avoided.length).toBeGreaterThan(10)
    const found = avoided.flatMap((word) => mistakes(texts, word))
    expect(found).toEqual([])
  })
})

test('Arabic texts have no word in Latin letters but names', () => {
  const wrong = textsOf('ar').filter(({ text }) =>
    /[a-z]{2}/i.test(written(text).replace(LATIN_NAMES, '')),
  )
  expect(wrong).toEqual([])
})

test.each(['fr', 'en'] as const)('%s has no capital in mid-sentence', (locale) => {
  const wrong = textsOf(locale).filter(({ text }) => {
    const own = written(text).replace(CAPITALS[locale], 'name')
    return /(?<=[\p{Ll}\d,’] )\p{Lu}\p{Ll}/u.test(own)
  })
  expect(wrong).toEqual([])
})

/** The words of the last column of docs/terms.md; Arabic ones with any prefix, others whole. */
function neverUsed(): RegExp[] {
  const rows = read('docs/terms.md')
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .slice(1)
  return rows.flatMap((row) => {
    const never = row.split('|')[4] ?? ''
    return never
      .split(/[,،]/)
      .map((word) => word.trim())
      .filter((word) => word)
      .map((word) =>
        /\p{Script=Arabic}/u.test(word)
          ? new RegExp(word, 'u')
          : new RegExp(`(?<![\\p{L}-])${word}s?(?!\\p{L})`, 'iu'),
      )
  })
}
