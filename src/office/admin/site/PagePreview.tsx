import { useEffect, useState } from 'react'
import type { SitePage } from '../../../contract/site.ts'
import { dirOf, type Locale } from '../../../i18n/locales.ts'
import { Faq } from '../../../islands/parts/Faq.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { People } from '../../../islands/parts/People.tsx'
import { WrittenHead, WrittenText } from '../../../islands/parts/WrittenPage.tsx'
import { PAGE_PARTS, type SitePageName } from '../../../rules/site-pages.ts'
import { type PageValues, previewPage } from './pages.ts'

interface Props {
  name: SitePageName
  language: Locale
  values: PageValues
}

/** The preview is updated after a pause in typing of this length (ms). */
const TYPING_PAUSE_MS = 600

export function PagePreview({ name, language, values }: Props) {
  const texts = useTexts('office-site:editor')
  const [page, setPage] = useState<SitePage | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      previewPage(name, language, values).then(
        (found) => {
          if (!isCurrent) return
          setPage(found)
          setFailed(false)
        },
        () => isCurrent && setFailed(true),
      )
    }, TYPING_PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [name, language, values])
  const { items } = PAGE_PARTS[name]
  return (
    <section className="stack" aria-labelledby="page-preview">
      <h2 id="page-preview">{texts.preview}</h2>
      {hasFailed && <p className="soft">{texts.previewFailed}</p>}
      {!page && !hasFailed && <p className="soft">{texts.previewLoading}</p>}
      {page && (
        <div className="site-page__preview" lang={language} dir={dirOf(language)}>
          <div className="leaf">
            <WrittenHead page={page} locale={language} as="p" />
            {items === 'people' && <People people={page.items} locale={language} />}
            {items === 'questions' ? (
              <Faq questions={page.items} locale={language} />
            ) : (
              <WrittenText page={page} locale={language} />
            )}
          </div>
        </div>
      )}
    </section>
  )
}
