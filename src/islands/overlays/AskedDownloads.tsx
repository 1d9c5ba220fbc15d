import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Locale } from '../../i18n/locales.ts'
import { $askedDownloads, type AskedDownload } from '../../stores/purchase/shopping.ts'
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

const nothing: readonly AskedDownload[] = []

export function AskedDownloads() {
  const locale = useLocale()
  const asked = useStore($askedDownloads, { ssr: () => nothing })
  const [parts, setParts] = useState<Parts | null>(null)
  const [places, setPlaces] = useState<ReadonlyMap<AskedDownload, HTMLElement>>(new Map())

  useEffect(() => {
    const started = asked.filter((each) => !places.has(each))
    if (started.length === 0) return
    loadParts(locale).then(
      (loaded) => {
        setParts(loaded)
        setPlaces(new Map([...places, ...started.map((each) => [each, placeFor(each)] as const)]))
        for (const { item } of started) void loaded.download(item, 'details')
      },
      () => announceProblem('download_failed'),
    )
  }, [asked, places, locale])

  if (!parts) return null
  return [...places].map(
    (
      [
        {
          item: { documentId, title },
        },
        place,
      ],
      at,
    ) =>
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
}

/** An element in place of the control that was pressed. */
function placeFor({ control }: AskedDownload): HTMLElement {
  const place = document.createElement('div')
  control.after(place)
  control.hidden = true
  return place
}
