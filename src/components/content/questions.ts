import type { MarkdownInstance } from 'astro'
import { fillFacts } from '../../i18n/facts.ts'
import type { Locale } from '../../i18n/locales.ts'
import { textsIn } from '../../i18n/texts.ts'

/** A question and its answer as HTML. */
export interface Question {
  id: string
  question: string
  answer: string
}

const files = Object.entries(
  import.meta.glob<MarkdownInstance<{ question: string }>>('../../content/*/faq/*.md', {
    eager: true,
  }),
)

/** The questions of `src/content/<language>/faq/`, in the order of the files' names. */
export function questionsIn(locale: Locale): Promise<Question[]> {
  const inLocale = files.filter(([path]) => path.includes(`/${locale}/faq/`))
  return Promise.all(
    inLocale.map(async ([, { frontmatter, compiledContent }], at) => ({
      id: `q${at + 1}`,
      question: fillFacts(locale, textsIn(locale, 'units:counts'), frontmatter.question),
      answer: (await compiledContent()).trim(),
    })),
  )
}
