import { useStore } from '@nanostores/react'
import { pathIn } from '../../i18n/paths.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { $view, showNight, showPages } from '../../stores/reader/view.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { useLocale } from '../parts/island.tsx'
import { KeepButton } from '../parts/KeepButton.tsx'
import { Panel } from './Panel.tsx'
import { ReaderIcon } from './ReaderIcon.tsx'
import { useTexts } from './texts.ts'

interface Props {
  reading: Reading
  isFull: boolean
  /** Null if the browser does not support full screen. */
  onFull: (() => void) | null
  onPrint: () => void
  onClose: () => void
}

/** The settings for pages, and further actions on the document. */
export function ViewPanel({ reading, isFull, onFull, onPrint, onClose }: Props) {
  const locale = useLocale()
  const texts = useTexts('reader:view')
  const { documentId, title, version } = reading
  const { layout, isNight } = useStore($view)
  return (
    <Panel title={texts.title} onClose={onClose}>
      <fieldset className="reader__choice">
        <legend className="visually-hidden">{texts.layout}</legend>
        {(['single', 'scroll'] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="layout"
              checked={layout === each}
              onChange={() => showPages(each)}
            />
            {texts[each]}
          </label>
        ))}
      </fieldset>
      <label className="reader__switch">
        <input
          type="checkbox"
          checked={isNight}
          onChange={({ currentTarget }) => showNight(currentTarget.checked)}
        />
        <ReaderIcon name="moon" />
        {texts.night}
      </label>
      <ul className="reader__list">
        {onFull && (
          <li>
            <button type="button" onClick={onFull}>
              <ReaderIcon name="full" />
              {isFull ? texts.leaveFull : texts.full}
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={onPrint}>
            <ReaderIcon name="print" />
            {texts.print}
          </button>
        </li>
        <li>
          <a href={pathIn(locale, `/shop-details/${documentId}`)} target="_top">
            {texts.details}
          </a>
        </li>
      </ul>
      <div className="cluster">
        <KeepButton documentId={documentId} title={title} version={version} />
        <DownloadButton document={{ documentId, title }} place="library" />
      </div>
      <div className="reader__keys small soft">
        <h3>{texts.keys}</h3>
        <p>{texts.keysText}</p>
      </div>
    </Panel>
  )
}
