import { type ReactNode, useCallback, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Locale } from '../../i18n/locales.ts'
import type { TappedItem } from '../../rules/taps.ts'
import { announceProblem } from '../../stores/shared/notices.ts'
import type { DownloadTexts } from '../parts/DownloadControl.tsx'
import { useLocale } from '../parts/island.tsx'

// Few visitors download from a page of the catalogue, so nothing of it is loaded for the others.
const texts = import.meta.glob<{ states: DownloadTexts }>('../../../locales/*/downloads.json', {
  import: 'default',
})

async function loadParts(locale: Locale) {
  const [{ DownloadControl }, { download }, read] = await Promise.all([
    import('../parts/DownloadControl.tsx'),
    import('../../stores/library/downloads.ts'),
    texts[`../../../locales/${locale}/downloads.json`]?.(),
  ])
  if (!read) throw new Error(`no texts in ${locale}`)
  return { DownloadControl, download, texts: read.states }
}

type Parts = Awaited<ReturnType<typeof loadParts>>

interface Tapped {
  item: TappedItem
  place: HTMLElement
}

/**
 * The downloads that were started on controls of documents, each rendered in place of its control,
 * and a function that starts one.
 */
export function useTappedDownloads(): [
  ReactNode,
  (item: TappedItem, control: HTMLElement) => Promise<void>,
] {
  const locale = useLocale()
  const [parts, setParts] = useState<Parts | null>(null)
  const [tapped, setTapped] = useState<readonly Tapped[]>([])

  const start = useCallback(
    async (item: TappedItem, control: HTMLElement) => {
      try {
        const loaded = await loadParts(locale)
        const place = document.createElement('div')
        control.after(place)
        control.hidden = true
        setParts(loaded)
        setTapped((others) => [...others.filter((one) => one.place.isConnected), { item, place }])
        void loaded.download(item, 'details')
      } catch {
        announceProblem('download_failed')
      }
    },
    [locale],
  )

  const rendered =
    parts &&
    tapped.map(({ item: { documentId, title }, place }, at) =>
      createPortal(
        <parts.DownloadControl
          document={{ documentId, title }}
          place="details"
          texts={parts.texts}
        />,
        place,
        `${documentId}-${at}`,
      ),
    )
  return [rendered, start]
}
