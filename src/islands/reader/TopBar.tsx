import './bars.css'
import { pathIn } from '../../i18n/paths.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { useLocale } from '../parts/island.tsx'
import { ReaderIcon } from './ReaderIcon.tsx'
import { useTexts } from './texts.ts'
import { useIsOffline } from './use-is-offline.ts'

/** A panel that can be open beside the pages. */
export type PanelName = 'contents' | 'find' | 'view' | 'print'

interface Props {
  reading: Reading
  isKept: boolean
  panel: PanelName | null
  onOpen: (panel: PanelName) => void
}

/** The back link, the title, and the buttons that open panels. */
export function TopBar({ reading, isKept, panel, onOpen }: Props) {
  const locale = useLocale()
  const texts = useTexts('reader:page')
  const isOffline = useIsOffline()
  const { title, outline, hasText } = reading
  const buttons = [
    ...(outline.length > 0 ? [['contents', 'contents', texts.contents] as const] : []),
    ...(hasText && !isKept ? [['find', 'search', texts.find] as const] : []),
    ['view', 'more', texts.view] as const,
  ]
  return (
    <header className="reader__bar reader__bar--top">
      <a
        className="icon-button reader__back"
        href={pathIn(locale, '/my-documents')}
        aria-label={texts.back}
      >
        <ReaderIcon name="previous" />
      </a>
      <h1 className="reader__title" dir="auto">
        {title}
      </h1>
      {isKept && <span className="badge">{texts.kept}</span>}
      <div className="reader__tools" role="toolbar" aria-label={texts.bar}>
        {buttons.map(([name, icon, label]) => (
          <button
            key={name}
            type="button"
            className="icon-button"
            aria-label={label}
            title={label}
            aria-expanded={panel === name}
            onClick={() => onOpen(name)}
          >
            <ReaderIcon name={icon} />
          </button>
        ))}
      </div>
      <p className="reader__offline" role="status">
        {isOffline && (isKept ? texts.offlineKept : texts.offline)}
      </p>
    </header>
  )
}
