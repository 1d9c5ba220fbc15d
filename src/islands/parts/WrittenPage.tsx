import '../../parts/leaf.css'
import './leaf-text.css'
import type { ReactNode } from 'react'
import type { SitePage } from '../../contract/site.ts'
import { type Locale, langOf } from '../../i18n/locales.ts'
import { Written } from './Written.tsx'

interface Props {
  page: SitePage
  /** The language of the page around it. */
  locale: Locale
}

export function WrittenHead({ page, locale, as: Heading = 'h1' }: Props & { as?: 'h1' | 'p' }) {
  return (
    <header className="leaf__head" {...langOf(page.locale, locale)}>
      <Heading className={Heading === 'p' ? 'leaf__title' : undefined}>{page.title}</Heading>
      <p className="leaf__lead">{page.lead}</p>
    </header>
  )
}

export function WrittenText({ page, locale }: Props): ReactNode {
  return (
    <div className="leaf__text" {...langOf(page.locale, locale)}>
      <Written blocks={page.blocks} />
    </div>
  )
}
