import { useActorName } from '../../kit/office-texts.ts'
import './site.css'
import type { ListedPage } from '../../../contract/office-site-pages.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { LANGUAGE_NAMES, LOCALES } from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { islandTexts, useLocale } from '../../../islands/parts/island.tsx'
import { momentText } from '../../kit/dates.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { sitePages } from './pages.ts'

const { island, useTexts } = islandTexts('office-site:list', 'office-site:names', 'errors:codes')

function SitePages() {
  const texts = useTexts('office-site:list')
  return (
    <LoadedStore from={sitePages} texts={texts} shapes={['line', 'line', 'line', 'line', 'line']}>
      {(list) => (
        <>
          <p className="soft">{texts.lead}</p>
          <ul className="site-pages stack gap-0">
            {list.map((page) => (
              <li key={page.name}>
                <PageLink page={page} />
              </li>
            ))}
          </ul>
        </>
      )}
    </LoadedStore>
  )
}

function PageLink({ page: { name, changed, missing, isEmpty } }: { page: ListedPage }) {
  const locale = useLocale()
  const texts = useTexts('office-site:list')
  const actorName = useActorName()
  const names = useTexts('office-site:names')
  const lacking = LOCALES.filter((each) => missing[each] > 0)
  return (
    <a
      className="site-pages__way stack gap-1 touch"
      href={pathIn(locale, `/office/site-page?name=${name}`)}
    >
      <span className="site-pages__name strong">{names[name]}</span>
      <span className="soft small">
        {changed
          ? fillText(texts.changed, {
              by: isolate(actorName(changed.by)),
              at: momentText(locale, changed.at),
            })
          : texts.never}
      </span>
      {isEmpty ? (
        <span className="site-pages__lacks small">{texts.empty}</span>
      ) : lacking.length === 0 ? (
        <span className="soft small">{texts.whole}</span>
      ) : (
        <span className="site-pages__lacks small">
          {lacking
            .map((each) =>
              fillText(texts.missing, { language: LANGUAGE_NAMES[each], count: missing[each] }),
            )
            .join(' · ')}
        </span>
      )}
    </a>
  )
}

export default island(SitePages)
