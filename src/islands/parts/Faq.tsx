import './faq.css'
import type { SitePage } from '../../contract/site.ts'
import { type Locale, langOf } from '../../i18n/locales.ts'
import { Icon } from './Icon.tsx'
import { Written } from './Written.tsx'

export function Faq({ questions, locale }: { questions: SitePage['items']; locale: Locale }) {
  return (
    <div className="faq">
      {questions.map(({ title, blocks, locale: own }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered as a whole, linked to by position
        <details id={`q${at + 1}`} className="faq__entry" key={at} {...langOf(own, locale)}>
          <summary>
            <span>{title}</span>
            <Icon name="down" />
          </summary>
          <div className="faq__answer">
            <Written blocks={blocks} />
          </div>
        </details>
      ))}
    </div>
  )
}
