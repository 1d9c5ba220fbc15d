import { useStore } from '@nanostores/react'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { $elsewhere, dismissElsewhere } from '../../stores/reader/place.ts'
import { goToPage } from '../../stores/reader/view.ts'
import { useLocale } from '../parts/island.tsx'
import { useTexts } from './texts.ts'

/** Offers to go to the page that was read later on another device. */
export function Elsewhere({ count }: { count: number }) {
  const locale = useLocale()
  const texts = useTexts('reader:elsewhere')
  const place = useStore($elsewhere)
  const page = place?.page ?? 1
  const go = () => {
    goToPage(page, count)
    dismissElsewhere()
  }
  return (
    <div role="status" className="reader__offer">
      {place && (
        <div className="panel">
          <p>{fillText(texts.text, { date: formatDate(locale, place.at), page })}</p>
          <p className="cluster">
            <button type="button" className="button button--primary" onClick={go}>
              {fillText(texts.go, { page })}
            </button>
            <button type="button" className="button button--plain" onClick={dismissElsewhere}>
              {texts.stay}
            </button>
          </p>
        </div>
      )}
    </div>
  )
}
